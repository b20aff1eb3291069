import type { ReactNode } from 'react';
import classes from './plain-table.module.css';

/** The heading of a column; a text is the heading of a column without numbers, unique in its table. */
type Heading = string | HeadingWithKey;

interface HeadingWithKey {
  readonly key: string;
  readonly content: ReactNode;
  /** whether the column has numbers; its cells have `data-number` */
  readonly isNumber: boolean;
}

interface PlainTableProps {
  readonly headings: readonly Heading[];
  readonly className?: string | undefined;
  /** on narrow screens one cell below the other, each with its `data-label` before it */
  readonly isStacked?: boolean;
  /** names the frame, which then can be scrolled by keys */
  readonly frameLabel?: string;
  readonly frameClass?: string | undefined;
  /** the rows: `tr` elements */
  readonly children: ReactNode;
}

/** A table without columns to move or rows to select, in a frame that scrolls. */
export function PlainTable(props: PlainTableProps) {
  const { headings, className = '', isStacked = false, frameLabel, frameClass = '' } = props;
  return (
    <div
      className={`${classes.card} ${frameClass}`}
      // A scrollable area must be reachable by keyboard (WCAG 2.1.1).
      {...(frameLabel !== undefined && { tabIndex: 0, role: 'region', 'aria-label': frameLabel })}
    >
      <table className={`${classes.table} ${className}`} data-stacked={isStacked || undefined}>
        <thead>
          <tr>
            {headings.map(withKey).map(({ key, content, isNumber }) => (
              <th key={key} scope="col" data-number={isNumber || undefined}>
                {content}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{props.children}</tbody>
      </table>
    </div>
  );
}

/** The heading of a column with numbers. @param text unique in its table */
export function numberHeading(text: string): HeadingWithKey {
  return { key: text, content: text, isNumber: true };
}

function withKey(heading: Heading): HeadingWithKey {
  return typeof heading === 'string'
    ? { key: heading, content: heading, isNumber: false }
    : heading;
}
