import type { Column } from '#shared/rules/definitions.ts';
import { formatCount } from '#shared/messages/format.ts';
import { PersonName } from '#web/ui/person-name.tsx';
import { localInstant } from '#web/fields/value-text.ts';
import type { Staying } from './journal.ts';
import classes from './paste.module.css';

interface StayingListProps {
  readonly stay: Staying;
  /** all of the table */
  readonly columns: readonly Column[];
}

/** What stays after a paste was undone, with who has edited it, and when. */
export function UnrevertedList({ stay: { count, cells }, columns }: StayingListProps) {
  const labelOf = (column: string) => columns.find(({ name }) => name === column)?.label ?? column;
  return (
    <ul className={classes.staying} aria-label="Not undone">
      {cells.map(({ jrid, column, by, at, deleted }) => (
        <li key={`${jrid} ${column}`}>
          <b>
            Record {jrid}
            {column !== null && `, ${labelOf(column)}`}
          </b>
          {by !== null && at !== null && (
            <>
              {deleted && ', deleted'} by <PersonName username={by} />, {localInstant(at)}
            </>
          )}
        </li>
      ))}
      {count > cells.length && <li>and {formatCount(count - cells.length)} more</li>}
    </ul>
  );
}
