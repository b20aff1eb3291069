import type { Column } from '#shared/rules/definitions.ts';
import type { Store } from '#web/api/create-store.ts';
import { toFailure } from '#web/api/failure.ts';
import { newIdempotencyKey } from '#web/api/request.ts';
import { retryWhileUnavailable } from '#web/api/retry-while-unavailable.ts';
import { createWorkQueue } from '#web/api/work-queue.ts';
import type { StepCreation } from './steps.ts';
import type { Created, DatasetCalls } from './datasets.calls.ts';
import {
  type Batch,
  type Edits,
  type NewRow,
  type RowKey,
  withNewRow,
  withoutNewRows,
} from './edits.ts';
import {
  hasInvalidCells,
  isEmptied,
  settleCreated,
  settleNotCreated,
  validateNewRow,
} from './settle-edits.ts';
import { updateNewRows } from './update-rows.ts';

/** Rows per call. */
const MAX_ROWS = 500;

interface RowCreatorOptions {
  readonly calls: Pick<DatasetCalls, 'create'>;
  readonly edits: Store<Edits>;
  /** called when rows are sent; the returned function is called once they are created, with the creations by row key */
  readonly onSending: () => (creations: ReadonlyMap<RowKey, StepCreation>) => void;
  readonly onCreated: (created: Created) => void;
  /** a call has succeeded */
  readonly onSaved: () => void;
}

/**
 * Creates the function that creates new rows: complete ones, 500 per call; it marks the missing values of the others,
 * and drops empty ones. Rows whose answer was lost are sent again with the key and the values of the first call, so
 * that the service creates them once.
 */
export function createRowCreator(options: RowCreatorOptions) {
  const { calls, edits, onSending, onCreated, onSaved } = options;
  /** rows of running or queued calls */
  const creating = new Set<RowKey>();
  // Records are created in the order of their rows.
  const runInOrder = createWorkQueue();
  const change = (next: (edits: Edits) => Edits) => edits.set(next(edits.get()));

  const settleSent = (batches: ReadonlyMap<RowKey, Batch>, records: readonly Created[]) => {
    const creations = new Map<RowKey, StepCreation>();
    let next = edits.get();
    for (const [i, [key, batch]] of [...batches].entries()) {
      const record = records[i];
      if (!record) continue;
      next = settleCreated(next, key, batch, record);
      const { historyId } = record;
      creations.set(key, { jrid: record.dataset.jrid, values: batch.values, historyId });
    }
    edits.set(next);
    return creations;
  };

  /** Creates rows in one call, and the remaining ones in another call if it rejects some. */
  const createGroup = async (
    keys: readonly RowKey[],
    columns: readonly Column[],
    sentOnce: string | null,
  ): Promise<void> => {
    const once = sentOnce ?? newIdempotencyKey();
    const batches = new Map<RowKey, Batch>();
    change((now) =>
      updateNewRows(now, keys, (alone, row) => {
        const { edits: checked, batch } = row.sent
          ? { edits: alone, batch: row.sent }
          : validateNewRow(alone, row, columns);
        if (!batch) return checked;
        batches.set(row.key, batch);
        return withNewRow(alone, { ...row, once, sent: batch, is: 'sending', message: null });
      }),
    );
    if (batches.size === 0) return;
    const onCreatedAll = onSending();
    await runInOrder(async () => {
      try {
        const values = [...batches.values()].map((batch) => batch.values);
        const records = await retryWhileUnavailable(() => calls.create(values, once));
        onCreatedAll(settleSent(batches, records));
        for (const record of records) onCreated(record);
        onSaved();
      } catch (error) {
        change((now) => settleNotCreated(now, [...batches.keys()], toFailure(error)));
      }
    });
    const isLeft = ({ key, is, stored }: NewRow) => batches.has(key) && is === 'typed' && !stored;
    const left = edits.get().newRows.flatMap((row) => (isLeft(row) ? row.key : []));
    if (left.length > 0) await createGroup(left, columns, null);
  };

  return async (keys: readonly RowKey[], columns: readonly Column[]): Promise<void> => {
    const wanted = new Set(keys);
    const isOpen = ({ key, stored }: NewRow) => wanted.has(key) && !stored && !creating.has(key);
    change((now) => withoutNewRows(now, (row) => isOpen(row) && isEmptied(row)));
    const open = edits.get().newRows.flatMap((row) => (isOpen(row) ? row.key : []));
    change((now) =>
      updateNewRows(now, open, (alone, row) =>
        row.once === null ? validateNewRow(alone, row, columns).edits : alone,
      ),
    );
    const ready = edits
      .get()
      .newRows.filter((row) => isOpen(row) && (row.once !== null || !hasInvalidCells(row)));
    for (const { key } of ready) creating.add(key);
    for (const [once, rows] of Map.groupBy(ready, (row) => row.once)) {
      // Rows that were sent together are sent together again.
      const size = once === null ? MAX_ROWS : rows.length;
      for (let from = 0; from < rows.length; from += size) {
        const group = rows.slice(from, from + size).map(({ key }) => key);
        // So that other calls of the page are not held up.
        await createGroup(group, columns, once);
        for (const key of group) creating.delete(key);
      }
    }
  };
}
