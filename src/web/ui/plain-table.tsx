import type { ReactNode } from 'react';
import classes from './plain-table.module.css';

interface PlainTableProps {
  /** of the columns; unique */
  readonly headings: readonly string[];
  readonly className?: string | undefined;
  /** on narrow screens one cell below the other, each with its `data-label` before it */
  readonly isStacked?: boolean;
  /** the rows: `tr` elements */
  readonly children: ReactNode;
}

/** A read-only table, in a frame that scrolls horizontally. */
export function PlainTable({
  headings,
  className = '',
  isStacked = false,
  children,
}: PlainTableProps) {
  return (
    <div className={classes.card}>
      <table className={`${classes.table} ${className}`} data-stacked={isStacked || undefined}>
        <thead>
          <tr>
            {headings.map((heading) => (
              <th key={heading} scope="col">
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
