import type { Column } from '#shared/definitions.ts';
import { toFailure } from '#web/api/failure.ts';
import type { DatasetCalls } from '../datasets.calls.ts';
import type { CellWrite, Desk } from '../desk.ts';
import type { RowKey, Stored } from '../edits.ts';
import type { StepCell } from '../undo/steps.ts';
import type { LeftRow } from './journal.ts';
import { unreadEntry } from './small-paste.ts';

/** Of a paste that was begun before its preview was kept with it. */
const NOT_READ = 'It could not be read when it was pasted.';

/** How many records are asked for at the same time. */
const AT_ONCE = 6;

/**
 * Gives the grid what a paste could not write: unread cells stay as they were typed, refused ones are tried and
 * marked, what somebody else changed meanwhile is shown as a conflict.
 * @returns the cells, as a part of the step that takes the paste back
 */
export async function handOver(
  left: readonly LeftRow[],
  columns: readonly Column[],
  desk: Desk,
  calls: Pick<DatasetCalls, 'get'>,
): Promise<readonly StepCell[]> {
  const writes: CellWrite[] = [];
  const created: RowKey[] = [];
  const put = (row: LeftRow, key: RowKey, listed: Stored | null) => {
    for (const column of columns) {
      const { name } = column;
      const seen = row.before[name] ?? null;
      const typed = row.typed[name];
      const value = row.values[name];
      if (typed !== undefined) {
        const objection = row.objections?.[name] ?? NOT_READ;
        writes.push({ key, column, seen, listed, ...unreadEntry(typed, objection) });
      } else if (value !== undefined) writes.push({ key, column, seen, listed, value });
    }
  };
  const { sequence } = desk.get();
  for (const row of left.filter(({ jrid }) => jrid === null)) {
    const key = `new:${sequence + 1 + writes.length}`;
    created.push(key);
    put(row, key, null);
  }
  const changed = left.filter(({ jrid }) => jrid !== null);
  for (let from = 0; from < changed.length; from += AT_ONCE) {
    // oxlint-disable-next-line no-await-in-loop -- some at a time leave room for others
    await Promise.all(
      changed.slice(from, from + AT_ONCE).map(async (row) => {
        const { jrid } = row;
        const listed = jrid === null ? null : await calls.get(jrid).catch(unlessGone);
        if (jrid !== null && listed) put(row, jrid, listed);
      }),
    );
  }
  const step = desk.place(writes);
  for (const key of created) void desk.create(key, columns);
  return step;
}

/** A record that is no more keeps nothing. */
function unlessGone(error: unknown): null {
  const failure = toFailure(error);
  if (failure.kind === 'api' && failure.status === 404) return null;
  throw error;
}
