import { type ReactNode, useRef } from 'react';
import { useVirtualRows } from './use-virtual-rows.ts';
import classes from './virtual-table.module.css';

interface VirtualTableProps<Row> {
  readonly label: string;
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  /** in pixels, until a row is rendered: then it is as high as its content */
  readonly rowHeight: number;
  readonly headClass: string | undefined;
  readonly rowClass: string | undefined;
  /** the headings of the columns */
  readonly head: ReactNode;
  /** the cells of a row */
  readonly children: (row: Row) => ReactNode;
}

/** A table in a box, whose rows are rendered only while they are in view. */
export function VirtualTable<Row>(props: VirtualTableProps<Row>) {
  const { label, rows, keyOf, rowHeight, headClass = '', rowClass = '' } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualRows(scroller, rows.length, rowHeight);
  return (
    <div
      ref={scroller}
      className={classes.scroller}
      // What scrolls has to be reached by the keyboard (WCAG 2.1.1).
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="table"
      aria-label={label}
      aria-rowcount={rows.length + 1}
    >
      <div role="row" className={`${classes.head} ${headClass}`} aria-rowindex={1}>
        {props.head}
      </div>
      <div
        role="presentation"
        className={classes.rows}
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return null;
          return (
            <div
              key={keyOf(row)}
              ref={virtualizer.measureElement}
              data-index={index}
              role="row"
              className={`${classes.row} ${rowClass}`}
              aria-rowindex={index + 2}
              style={{ transform: `translateY(${start}px)` }}
            >
              {props.children(row)}
            </div>
          );
        })}
      </div>
    </div>
  );
}
