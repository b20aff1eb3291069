import type { CSSProperties } from 'react';
import { isNumber } from '#shared/values/registry.ts';
import type { ListField } from '../list-tools/list-field.ts';
import classes from './grid.module.css';

/**
 * The element in which menus and panels over a grid are drawn: beside the grid of a table, within the page's main
 * landmark, else the page's body.
 */
export function gridLayer(): HTMLElement {
  return document.querySelector<HTMLElement>('[data-grid-layer]') ?? document.body;
}

/** Pixels of a row with one line, and of the headings. */
export const ROW_HEIGHT = 31;
const LINE_HEIGHT = 18;

/** The height in pixels of a row with this many lines. */
export function rowHeightFor(lines: number): number {
  return ROW_HEIGHT + (lines - 1) * LINE_HEIGHT;
}

type CellStyle = CSSProperties & Partial<Record<'--left', string>>;

/**
 * The position of a column's cell in its row. Each cell has its own, because not all columns are rendered.
 * @param col the position of the column, from 1
 * @param left the left offset in pixels at which it is pinned; undefined: it scrolls
 */
export function cellStyle(col: number, left: number | undefined): CellStyle {
  const style = { gridColumn: col + 1, gridRow: 1 };
  return left === undefined ? style : { ...style, '--left': `${left}px` };
}

/** Whether the values of a column are aligned at their end; the id of a revision is a name, not an amount. */
export function isAmount({ type, kind }: Pick<ListField, 'type'> & Partial<ListField>): boolean {
  return isNumber({ type }) && kind !== 'meta';
}

/** The attributes of a row. Functions instead of components, because hundreds of cells are drawn while scrolling. */
export function rowAttributes(index: number, top: number, className = '') {
  return {
    'aria-rowindex': index + 2,
    'data-row': index,
    className: `${classes.row} ${className}`,
    style: { transform: `translateY(${top}px)` },
  } as const;
}

interface CellOptions {
  readonly field: Pick<ListField, 'type'> & Partial<ListField>;
  /** the position of the column, from 1 */
  readonly col: number;
  /** the left offset in pixels at which it is pinned; undefined: it scrolls */
  readonly left: number | undefined;
  readonly className?: string | undefined;
}

/** The attributes of a cell. */
export function cellAttributes({ field, col, left, className = '' }: CellOptions) {
  return {
    'aria-colindex': col + 1,
    'data-col': col,
    'data-number': isAmount(field) || undefined,
    'data-frozen': left !== undefined || undefined,
    className: `${classes.cell} ${className}`,
    style: cellStyle(col, left),
  } as const;
}
