import { type PointerEvent, useRef, useState } from 'react';
import classes from './column-edge.module.css';
import { rememberWidths, widthsNow } from './column-widths.ts';

/** How narrow and how wide a column can be made, in pixels. */
export interface WidthLimits {
  readonly least: number;
  readonly most: number;
}

interface ColumnEdgeProps extends WidthLimits {
  /** the archive's table name or the table's GUID */
  readonly list: string;
  readonly name: string;
  /** of the column, in pixels */
  readonly width: number;
}

/** The right edge of a column's heading: dragged, it makes the column wider; a double click gives it its own width again. */
export function ColumnEdge({ list, name, width, least, most }: ColumnEdgeProps) {
  const [dragged, setDragged] = useState(false);
  /** where the pointer would be if the column had no width */
  const origin = useRef(0);
  const onMove = ({ clientX }: PointerEvent) => {
    if (!dragged) return;
    const wanted = Math.min(most, Math.max(least, clientX - origin.current));
    rememberWidths(list, { ...widthsNow(list), [name]: wanted });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions
    <span
      className={classes.edge}
      data-active={dragged || undefined}
      onMouseDown={(event) => event.preventDefault()}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        origin.current = event.clientX - width;
        setDragged(true);
      }}
      onPointerMove={onMove}
      onLostPointerCapture={() => setDragged(false)}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={() => {
        const { [name]: _, ...others } = widthsNow(list);
        rememberWidths(list, others);
      }}
    />
  );
}
