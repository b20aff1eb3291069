import type { Column } from '#shared/rules/definitions.ts';
import type { DatasetCalls } from '../edit-store/datasets.calls.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import type { CellWrite } from '../edit-store/edits.ts';
import type { RowKey, Stored } from '../edit-store/edits.ts';
import type { Refusal } from '../problems/refused-places.ts';
import type { StepCell } from '../undo/steps.ts';
import { retryWhileUnavailable } from '../edit-store/retry-while-unavailable.ts';
import type { LeftRow } from './journal.ts';
import { unreadEntry } from './small-paste.ts';

/** Of a paste that was begun before its preview was kept with it. */
const NOT_READ = 'It could not be read when it was pasted.';

/**
 * Gives the grid what a paste could not write: unread cells stay as they were typed, refused rows are marked with
 * what the service said of them and are not sent again by themselves, what somebody else changed meanwhile is shown
 * as a conflict.
 * @param job the paste
 * @returns the cells, as they are turned around with the paste
 */
export async function handOver(
  job: string,
  left: readonly LeftRow[],
  columns: readonly Column[],
  editStore: EditStore,
  calls: Pick<DatasetCalls, 'several'>,
): Promise<readonly StepCell[]> {
  const writes: CellWrite[] = [];
  const refused = new Map<RowKey, Refusal | null>();
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
  for (const [i, row] of left.filter(({ jrid }) => jrid === null).entries()) {
    const key = `new:paste-${job}-${i}`;
    refused.set(key, row.refusal ?? null);
    put(row, key, null);
  }
  const changed = left.flatMap((row) => (row.jrid === null ? [] : [{ ...row, jrid: row.jrid }]));
  const now = await retryWhileUnavailable(() => calls.several(changed.map(({ jrid }) => jrid)));
  // A record that is no more keeps nothing.
  for (const row of changed) {
    const listed = now.get(row.jrid);
    if (listed) put(row, row.jrid, listed);
  }
  const cells = editStore.place(writes);
  editStore.markNotCreated(refused, columns);
  return cells;
}
