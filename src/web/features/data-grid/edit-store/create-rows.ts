import type { Column } from '#shared/rules/definitions.ts';
import type { Store } from '#web/api/create-store.ts';
import { toFailure } from '#web/api/failure.ts';
import { newIdempotencyKey } from '#web/api/request.ts';
import { type Refusal, refusalsIn } from '../problems/refused-places.ts';
import type { StepCreation } from '../undo/steps.ts';
import type { Created, DatasetCalls } from './datasets.calls.ts';
import {
  type Batch,
  type Edits,
  type NewRow,
  newRowOf,
  type RowKey,
  withNewRow,
  withoutNewRows,
} from './edits.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';
import {
  hasUnread,
  isBlank,
  markNotCreated,
  readNewRow,
  settleCreated,
  settleNotCreated,
} from './saving.ts';
import { updateRows } from './update-rows.ts';

/** Rows that one call creates. */
const CREATED_AT_ONCE = 500;

interface RowCreatorOptions {
  readonly calls: Pick<DatasetCalls, 'createAll' | 'post'>;
  readonly edits: Store<Edits>;
  /** rows are sent; what it returns is called once they are created, with the creations by the keys of the rows */
  readonly onSending: () => (creations: ReadonlyMap<RowKey, StepCreation>) => void;
  readonly onCreated: (created: Created) => void;
  /** a call has succeeded */
  readonly onSaved: () => void;
}

/**
 * Makes the function that creates new rows: those that have all they need, 500 by one call; it marks in the others what
 * they lack, and drops a row without anything in it. Rows whose answer got lost are sent again as they were sent
 * together, so that the service creates them once.
 */
export function rowCreator({ calls, edits, onSending, onCreated, onSaved }: RowCreatorOptions) {
  /** rows that are being created, or wait for a call before */
  const creating = new Set<RowKey>();
  const change = (next: (edits: Edits) => Edits) => edits.set(next(edits.get()));

  /** What is sent of new rows; null where a cell is in the way. What an earlier call has sent is sent unchanged. */
  const batchOf = (key: RowKey, columns: readonly Column[]): Batch | null => {
    const row = newRowOf(edits.get(), key);
    if (!row || row.stored) return null;
    if (row.once !== null && row.sent) return row.sent;
    const { edits: checked, batch } = readNewRow(edits.get(), row, columns);
    edits.set(checked);
    return batch;
  };

  /** Creates rows by one call, and without those that it refuses by another. */
  const createGroup = async (
    keys: readonly RowKey[],
    columns: readonly Column[],
    once: string | null,
  ): Promise<void> => {
    const batches = keys.flatMap((key) => {
      const batch = batchOf(key, columns);
      return batch ? [{ key, batch }] : [];
    });
    const [only, another] = batches;
    if (!only) return;
    const idempotencyKey = once ?? newIdempotencyKey();
    const onCreatedAll = onSending();
    edits.set(
      updateRows(edits.get(), keys, (alone, key) => {
        const [row] = alone.newRows;
        const sent = batches.find((one) => one.key === key)?.batch;
        if (!row || !sent) return alone;
        return withNewRow(alone, {
          ...row,
          once: idempotencyKey,
          sent,
          is: 'sending',
          message: null,
        });
      }),
    );
    try {
      const stored = another
        ? await retryWhileUnavailable(() =>
            calls.createAll(
              batches.map(({ batch }) => batch.values),
              idempotencyKey,
            ),
          )
        : [await retryWhileUnavailable(() => calls.post(only.batch.values, idempotencyKey))];
      const creations = new Map<RowKey, StepCreation>();
      let next = edits.get();
      for (const [i, { key, batch }] of batches.entries()) {
        const record = stored[i];
        if (!record) continue;
        next = settleCreated(next, key, batch, record);
        const { historyId } = record;
        creations.set(key, { jrid: record.dataset.jrid, values: batch.values, historyId });
      }
      edits.set(next);
      onCreatedAll(creations);
      for (const record of stored) onCreated(record);
      onSaved();
    } catch (error) {
      const failure = toFailure(error);
      const refused = another ? refusalsIn(failure) : new Map<number, Refusal>();
      if (refused.size === 0) {
        for (const { key } of batches)
          change((now) => settleNotCreated(now, key, columns, failure));
        return;
      }
      const refusals = new Map(
        [...refused].flatMap(([i, refusal]) => {
          const key = batches[i]?.key;
          return key === undefined ? [] : [[key, refusal] as const];
        }),
      );
      edits.set(markNotCreated(edits.get(), refusals, columns));
      const rest = batches.flatMap(({ key }) => (refusals.has(key) ? [] : key));
      edits.set(
        updateRows(edits.get(), rest, (alone) => {
          const [row] = alone.newRows;
          return row ? withNewRow(alone, { ...row, once: null, sent: null, is: 'typed' }) : alone;
        }),
      );
      await createGroup(rest, columns, null);
    }
  };

  return async (keys: readonly RowKey[], columns: readonly Column[]): Promise<void> => {
    const wanted = new Set(keys);
    const isOpen = ({ key, stored }: NewRow) =>
      wanted.has(key) && stored === null && !creating.has(key);
    change((now) => withoutNewRows(now, (row) => isOpen(row) && row.once === null && isBlank(row)));
    const unsent = edits.get().newRows.filter((row) => isOpen(row) && row.once === null);
    const unmarked = new Map(unsent.map(({ key }) => [key, null]));
    edits.set(markNotCreated(edits.get(), unmarked, columns));
    const ready = edits
      .get()
      .newRows.filter((row) => isOpen(row) && (row.once !== null || !hasUnread(row)));
    const groups: { readonly once: string | null; readonly keys: readonly RowKey[] }[] = [];
    for (const [once, rows] of Map.groupBy(ready, (row) => row.once)) {
      const all = rows.map(({ key }) => key);
      const size = once === null ? CREATED_AT_ONCE : all.length;
      for (let from = 0; from < all.length; from += size) {
        groups.push({ once, keys: all.slice(from, from + size) });
      }
    }
    for (const { key } of ready) creating.add(key);
    for (const { once, keys: some } of groups) {
      // oxlint-disable-next-line no-await-in-loop -- one call after the other leaves room for others
      await createGroup(some, columns, once);
      for (const key of some) creating.delete(key);
    }
  };
}
