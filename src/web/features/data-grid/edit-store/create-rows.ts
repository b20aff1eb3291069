import type { QueryClient } from '@tanstack/react-query';
import type { Column } from '#shared/rules/definitions.ts';
import type { Store } from '#web/api/create-store.ts';
import { toFailure } from '#web/api/failure.ts';
import { newIdempotencyKey } from '#web/api/request.ts';
import { retryWhileUnavailable } from '#web/api/retry-while-unavailable.ts';
import { type Rejection, rejectionsIn } from './rejections.ts';
import type { StepCreation } from './steps.ts';
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
import { runWrite } from './save.mutations.ts';
import {
  hasInvalidCells,
  isBlankRow,
  markNotCreated,
  validateNewRow,
  settleCreated,
  settleNotCreated,
} from './settle-edits.ts';
import { updateRows } from './update-rows.ts';

/** Rows per call. */
const MAX_ROWS = 500;

type SentRow = readonly [key: RowKey, batch: Batch];

interface RowCreatorOptions {
  readonly client: QueryClient;
  readonly guid: string;
  readonly calls: Pick<DatasetCalls, 'createAll' | 'post'>;
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
  const { client, guid, calls, edits, onSending, onCreated, onSaved } = options;
  /** rows of running or queued calls */
  const creating = new Set<RowKey>();
  const change = (next: (edits: Edits) => Edits) => edits.set(next(edits.get()));
  const changeRows = (keys: Iterable<RowKey>, next: (row: NewRow) => NewRow) =>
    change((now) =>
      updateRows(now, keys, (alone) => {
        const [row] = alone.newRows;
        return row ? withNewRow(alone, next(row)) : alone;
      }),
    );

  /** The request of a new row, unchanged if an earlier call has sent it; null if a cell is invalid. */
  const batchOf = (key: RowKey, columns: readonly Column[]): Batch | null => {
    const row = newRowOf(edits.get(), key);
    if (!row || row.stored) return null;
    if (row.once !== null && row.sent) return row.sent;
    const { edits: checked, batch } = validateNewRow(edits.get(), row, columns);
    edits.set(checked);
    return batch;
  };

  const settleSent = (batches: readonly SentRow[], records: readonly Created[]) => {
    const creations = new Map<RowKey, StepCreation>();
    let next = edits.get();
    for (const [i, [key, batch]] of batches.entries()) {
      const record = records[i];
      if (!record) continue;
      next = settleCreated(next, key, batch, record);
      const { historyId } = record;
      creations.set(key, { jrid: record.dataset.jrid, values: batch.values, historyId });
    }
    edits.set(next);
    return creations;
  };
  /** Marks the rows that the service has rejected. @returns the others of the call, which are sent again */
  const settleRefused = (
    keys: readonly RowKey[],
    columns: readonly Column[],
    error: unknown,
  ): readonly RowKey[] => {
    const failure = toFailure(error);
    const refused = keys.length > 1 ? rejectionsIn(failure) : new Map<number, Rejection>();
    if (refused.size === 0) {
      for (const key of keys) change((now) => settleNotCreated(now, key, columns, failure));
      return [];
    }
    const refusals = new Map(
      keys.flatMap((key, i) => {
        const refusal = refused.get(i);
        return refusal ? [[key, refusal] as const] : [];
      }),
    );
    change((now) => markNotCreated(now, refusals, columns));
    const rest = keys.filter((key) => !refusals.has(key));
    changeRows(rest, (row) => ({ ...row, once: null, sent: null, is: 'typed' }));
    return rest;
  };

  /** Creates rows in one call, and the remaining ones in another call if it rejects some. */
  const createGroup = async (
    keys: readonly RowKey[],
    columns: readonly Column[],
    once: string | null,
  ): Promise<void> => {
    const sent = keys.flatMap((key): SentRow[] => {
      const batch = batchOf(key, columns);
      return batch ? [[key, batch]] : [];
    });
    if (sent.length === 0) return;
    const batches = new Map(sent);
    const idempotencyKey = once ?? newIdempotencyKey();
    const onCreatedAll = onSending();
    changeRows(batches.keys(), (row) => ({
      ...row,
      once: idempotencyKey,
      sent: batches.get(row.key) ?? null,
      is: 'sending',
      message: null,
    }));
    let left: readonly RowKey[] = [];
    await runWrite(client, guid, {
      of: 'create',
      scope: 'create',
      send: () =>
        retryWhileUnavailable(async () => {
          const values = sent.map(([, batch]) => batch.values);
          const [only, another] = values;
          return only && !another
            ? [await calls.post(only, idempotencyKey)]
            : calls.createAll(values, idempotencyKey);
        }),
      onSaved: (records) => {
        onCreatedAll(settleSent(sent, records));
        for (const record of records) onCreated(record);
        onSaved();
      },
      onRefused: (error) => {
        left = settleRefused([...batches.keys()], columns, error);
      },
    });
    // Only now is the scope of the mutation free again.
    if (left.length > 0) await createGroup(left, columns, null);
  };

  return async (keys: readonly RowKey[], columns: readonly Column[]): Promise<void> => {
    const wanted = new Set(keys);
    const isOpen = ({ key, stored }: NewRow) =>
      wanted.has(key) && stored === null && !creating.has(key);
    change((now) =>
      withoutNewRows(now, (row) => isOpen(row) && row.once === null && isBlankRow(row)),
    );
    const unsent = edits.get().newRows.filter((row) => isOpen(row) && row.once === null);
    change((now) => markNotCreated(now, new Map(unsent.map(({ key }) => [key, null])), columns));
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
