import type { ReactNode } from 'react';
import { formatCount } from '#shared/messages/format.ts';
import { numberHeading, PlainTable } from '#web/ui/plain-table.tsx';
import classes from './figures.module.css';

interface BarTableProps {
  /** the heading of the first column */
  readonly subject: string;
  /** the heading of the numbers */
  readonly unit: string;
  readonly rows: readonly {
    readonly key: string;
    readonly name: ReactNode;
    readonly count: number;
  }[];
}

/** Numbers with bars, scaled to the largest. */
export function BarTable({ subject, unit, rows }: BarTableProps) {
  const max = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <PlainTable className={classes.numbers} headings={[subject, numberHeading(unit)]}>
      {rows.map(({ key, name, count }) => (
        <tr key={key}>
          <th scope="row">
            {name}
            <svg aria-hidden viewBox="0 0 100 1" preserveAspectRatio="none" className={classes.bar}>
              <rect width={(count / max) * 100} height={1} />
            </svg>
          </th>
          <td data-number>{formatCount(count)}</td>
        </tr>
      ))}
    </PlainTable>
  );
}
