import { createPortal } from 'react-dom';
import { Dropdown, type DropdownProps } from '../ui/dropdown.tsx';
import { gridLayer } from './grid-attributes.ts';

/** Floats below a cell or its editor. It is rendered next to the grid: inside the cell it would be a part of its name. */
export function BelowCell(props: DropdownProps) {
  return createPortal(<Dropdown width="content" {...props} />, gridLayer());
}
