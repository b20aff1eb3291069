import type { QueryClient } from '@tanstack/react-query';
import type { Column } from '#shared/rules/definitions.ts';
import { toFailure } from '#web/api/failure.ts';
import { newIdempotencyKey } from '#web/api/request.ts';
import { createStore } from '#web/api/create-store.ts';
import type { Scalar } from '#shared/values/values.ts';
import type { DatasetCalls } from './datasets.calls.ts';
import {
  type Batch,
  type CellWrite,
  cellsOf,
  countEdits,
  type Edits,
  entryAfter,
  entryOfCell,
  isNewRow,
  NO_EDITS,
  writeEntry,
  type RowKey,
  isSameEntry,
  type ServerRecord,
  withCell,
  withNewRow,
  withoutNewRows,
  withoutRecords,
} from './edits.ts';
import { mergeEdits } from './merge-edits.ts';
import { updateRows, withoutCells } from './update-rows.ts';
import type { StoredEdits } from './edit-database.ts';
import { rowCreator } from './create-rows.ts';
import { recordSaver } from './save.mutations.ts';
import {
  checkPatterns,
  resolveConflict,
  isEmptied,
  nextBatch,
  settleRejected,
  settleDeleted,
  settleSaved,
  retryCell,
} from './settle-edits.ts';
import { createEditSteps } from '../undo/edit-steps.ts';
import type { StepCell } from '../undo/steps.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';
import * as undoTexts from '#messages/table-undo.ts';

interface ReceivedRecord extends ServerRecord {
  /** when the answer arrived, by `performance.now()` */
  readonly at: number;
}

/** An upper limit of the edits of a tab. */
const EDITS_PER_MILLISECOND = 1_000;

interface EditStoreOptions {
  readonly client: QueryClient;
  readonly guid: string;
  readonly calls: DatasetCalls;
  /** receives the service's answers, for the lists that show the record */
  readonly onStored: (stored: ServerRecord) => void;
}

/**
 * The pending edits of one table: text that is typed and not saved. It is the only such store of the grid, an adapter
 * over the MutationCache of `client` (`docs/decisions/0044-pending-edits.md`).
 * - A cell or new row has an entry in the store until the service has saved it. The rows show entries over the loaded
 * lists, so they are the optimistic update. Entries that cannot be sent (invalid, rejected, in conflict) stay until
 * they are corrected.
 * - Valid entries are sent by mutations: one at a time per record (`scope`), based on the version that the previous one
 * returned. Their callbacks remove or mark the entries.
 * - The store outlives the page of the table, and `persist-edits.ts` stores it in the browser, so that no typed text is
 * lost with a tab. Idempotency keys and versions make repeated writes harmless.
 * - Each user action is an undo step (`undo/edit-steps.ts`).
 */
export function createEditStore({ client, guid, calls, onStored }: EditStoreOptions) {
  // Higher than any sequence number that another tab of the browser has assigned before.
  const edits = createStore<Edits>({ ...NO_EDITS, sequence: Date.now() * EDITS_PER_MILLISECOND });
  const known = new Map<string, ReceivedRecord>();
  const inFlight = new Map<string, Batch>();
  const saved = createStore(0);
  const resumed = createStore(0);
  const change = (next: (edits: Edits) => Edits) => edits.set(next(edits.get()));

  const receive = (stored: ServerRecord) => {
    const { jrid } = stored.dataset;
    known.set(jrid, { ...stored, at: performance.now() });
    change((now) => {
      const row = now.newRows.find((row) => row.stored?.dataset.jrid === jrid);
      return row ? withNewRow(now, { ...row, stored }) : now;
    });
    onStored(stored);
  };

  /** Reloads the record if others changed it; null: the next batch is based on the new version. */
  const failureAfterRejection = async (jrid: string, sent: string | null, error: unknown) => {
    const failure = toFailure(error);
    if (failure.kind !== 'api' || failure.status !== 412) return failure;
    try {
      const current = await retryWhileUnavailable(() => calls.get(jrid));
      receive(current);
      return current.etag === sent ? failure : null;
    } catch (reading) {
      return toFailure(reading);
    }
  };

  const save = recordSaver(client, guid, calls.put, {
    onSaved: ({ jrid, batch }, stored) => {
      receive(stored);
      change((now) => settleSaved(now, jrid, batch, stored.dataset));
      saved.set(saved.get() + 1);
    },
    onRefused: async ({ jrid, batch, etag }, error) => {
      const failure = await failureAfterRejection(jrid, etag, error);
      if (failure) change((now) => settleRejected(now, jrid, batch, failure));
    },
  });

  /** Sends the pending edits of a record until none is left. Text typed during a call is sent with the next mutation. */
  const saveRecord = async (jrid: string): Promise<void> => {
    for (;;) {
      const server = known.get(jrid);
      if (!server || inFlight.has(jrid)) return;
      const { edits: checked, batch } = nextBatch(edits.get(), jrid, server.dataset);
      edits.set(checked);
      if (!batch) return;
      inFlight.set(jrid, batch);
      const { etag } = server;
      // Each is made from what the one before has answered.
      await save({ jrid, batch, etag, idempotencyKey: newIdempotencyKey() });
      inFlight.delete(jrid);
    }
  };

  const createMany = rowCreator({
    client,
    guid,
    calls,
    edits,
    onSending: () => undoSteps.onSending(),
    onCreated: (stored) => {
      receive(stored);
      void saveRecord(stored.dataset.jrid);
    },
    onSaved: () => saved.set(saved.get() + 1),
  });

  const jridOf = (key: RowKey, now = edits.get()) =>
    isNewRow(key) ? now.newRows.find((row) => row.key === key)?.stored?.dataset.jrid : key;

  const savePending = (key: RowKey) => {
    const jrid = jridOf(key);
    if (jrid !== undefined) void saveRecord(jrid);
  };

  /** Writes entries into cells; the caller stores the steps. */
  const writeCells = (cells: readonly CellWrite[]): StepCell[] => {
    const step: StepCell[] = [];
    const rows = Map.groupBy(cells, ({ key }) => key);
    const putRow = (alone: Edits, row: RowKey): Edits => {
      let next = alone;
      for (const { key, column, initialValue, listed, ...entry } of rows.get(row) ?? []) {
        const jrid = jridOf(key, next);
        // While edits are pending, their answers are newer than what a list may show.
        const settled = cellsOf(next, key).size === 0;
        if (listed && jrid !== undefined && settled && !inFlight.has(jrid)) {
          known.set(jrid, { ...listed, at: known.get(jrid)?.at ?? 0 });
        }
        const server = jrid === undefined ? undefined : known.get(jrid)?.dataset;
        const stored = server?.[column.name] ?? null;
        const before = entryOfCell(cellsOf(next, key).get(column.name), stored);
        next = writeEntry(next, key, column, entry, {
          initialValue,
          stored,
          isInFlight: jrid !== undefined && inFlight.get(jrid)?.sent.has(column.name) === true,
        });
        const after = entryAfter(next, key, column, entry, stored);
        if (!isSameEntry(before, after)) {
          step.push({ jrid: jrid ?? key, column: column.name, before, after });
        }
      }
      return next;
    };
    edits.set(updateRows(edits.get(), rows.keys(), putRow));
    for (const key of rows.keys()) savePending(key);
    return step;
  };
  const write = (cells: readonly CellWrite[], label: string): void => {
    const step = writeCells(cells);
    if (step.length > 0) undoSteps.push({ label, cells: step, created: [], bulkEditId: null });
  };

  const undoSteps = createEditSteps({
    calls,
    edits,
    receive,
    write: (cells) => {
      writeCells(cells);
      // A row without any content counts as never started.
      const turned = new Set(cells.map(({ key }) => key));
      change((now) => withoutNewRows(now, (row) => turned.has(row.key) && isEmptied(row)));
    },
    forget: (jrids) => forgetRecords(jrids),
  });
  const forgetRecords = (jrids: readonly string[]): void => {
    const gone = new Set(jrids);
    change((now) =>
      withoutNewRows(
        withoutRecords(now, jrids),
        ({ stored }) => stored !== null && gone.has(stored.dataset.jrid),
      ),
    );
  };

  /** Drops rows that the server does not have, in a single change; one that is being sent stays. */
  const discardAll = (from: Edits, keys: ReadonlySet<RowKey>): void => {
    edits.set(withoutNewRows(from, (row) => keys.has(row.key) && row.is !== 'sending'));
    const left = new Set(edits.get().newRows.map(({ key }) => key));
    undoSteps.dropRows([...keys].filter((key) => !left.has(key)));
  };

  /** Reloads records with edits of a closed tab, and sends the edits. */
  const resumeRecords = async (jrids: readonly string[]): Promise<void> => {
    const now = await retryWhileUnavailable(() => calls.several(jrids));
    for (const jrid of jrids) {
      const stored = now.get(jrid);
      if (stored) {
        receive(stored);
        savePending(jrid);
      } else change((edits) => settleDeleted(edits, jrid));
    }
  };

  return {
    /** The edits to store in the browser; null: none. */
    snapshot(): StoredEdits | null {
      const now = edits.get();
      const steps = undoSteps.steps.get();
      const isEmpty = now.records.size === 0 && now.newRows.every(({ stored }) => stored !== null);
      if (isEmpty && steps.done.length + steps.undone.length === 0) return null;
      return { edits: now, steps };
    },
    /**
     * Adds the stored edits of a closed tab, and sends them.
     * @param withSteps whether it was this tab before a reload: its undo steps are restored too. The edits of another
     * tab become one step of this one.
     */
    resume(left: StoredEdits, { withSteps }: { readonly withSteps: boolean }): void {
      const { edits: merged, cells, count } = mergeEdits(edits.get(), left.edits);
      edits.set(merged);
      if (withSteps) undoSteps.restore(left.steps);
      else if (cells.length > 0) {
        undoSteps.push({ label: undoTexts.closedTab, cells, created: [], bulkEditId: null });
      }
      resumed.set(resumed.get() + count);
      const jrids = [...left.edits.records.keys()];
      // Records that cannot be loaded now are loaded when the table is opened the next time.
      if (jrids.length > 0) resumeRecords(jrids).catch(() => undefined);
    },
    /** how many entries of closed tabs were added */
    resumed,
    get: edits.get,
    subscribe: edits.subscribe,
    /** how many writes have succeeded */
    saved,

    /** The steps that can be undone, and those that were. */
    steps: undoSteps.steps,
    undo: undoSteps.undo,
    redo: undoSteps.redo,
    /** Adds a step that the service reverts. @param label text after “Undo” */
    rememberBulkEdit: (bulkEditId: string, label: string) =>
      undoSteps.push({ label, cells: [], created: [], bulkEditId }),
    /** Adds a deletion of records. */
    rememberDeletion: (deleted: readonly string[], label: string) =>
      undoSteps.push({ label, cells: [], created: [], deleted, bulkEditId: null }),
    /** Registers that deleted records were restored by other means than undoing their step. */
    restored: undoSteps.restored,
    /**
     * Stores the text typed into a cell.
     * @param initialValue the cell's value when the typing began
     * @param listed the record as listed now; null in a new row
     */
    type(
      key: RowKey,
      column: Column,
      typed: string | null,
      {
        initialValue,
        listed,
      }: { readonly initialValue: Scalar; readonly listed: ServerRecord | null },
    ): void {
      write([{ key, column, typed, initialValue, listed }], undoTexts.typing);
    },
    /** Stores the writes of one user action: one undo step. */
    write,

    /** Discards the text typed into a cell: it shows the server's value. */
    restore(key: RowKey, column: string): void {
      change((now) => withCell(now, key, column, null));
    },
    /** Discards the text typed into many cells, like `restore` and `discard`; `column` null: the row. */
    discardEdits(cells: readonly { readonly key: RowKey; readonly column: string | null }[]): void {
      const whole = new Set(cells.flatMap(({ key, column }) => (column === null ? key : [])));
      discardAll(withoutCells(edits.get(), cells), whole);
    },
    /** Sends a rejected cell again. */
    tryAgain(key: RowKey, column: string): void {
      change((now) => retryCell(now, key, column));
      savePending(key);
    },
    /** Settles a conflict in a cell. */
    choose(key: RowKey, column: string, whose: 'mine' | 'theirs'): void {
      change((now) => resolveConflict(now, jridOf(key) ?? key, column, whose));
      savePending(key);
    },

    /** Creates a row, like `createMany`. */
    create: (key: RowKey, columns: readonly Column[]) => createMany([key], columns),
    createMany,
    /** Resolves when no change is pending; rejects when the signal is aborted. */
    whenSaved(signal: AbortSignal): Promise<void> {
      return new Promise((resolve, reject) => {
        const look = () => {
          if (signal.aborted) reject(signal.reason);
          else if (countEdits(edits.get()).waiting > 0) return;
          else resolve();
          leave();
        };
        const leave = edits.subscribe(look);
        signal.addEventListener('abort', look, { once: true });
        look();
      });
    },
    /** Drops a row that the server does not have. */
    discard: (key: RowKey): void => discardAll(edits.get(), new Set([key])),

    /** Removes rows that a list loaded since `at` contains. */
    forgetCreatedBefore(at: number): void {
      const old = (stored: ServerRecord | null) =>
        stored !== null && (known.get(stored.dataset.jrid)?.at ?? 0) < at;
      if (edits.get().newRows.some(({ stored }) => old(stored))) {
        change((now) => withoutNewRows(now, ({ stored }) => old(stored)));
      }
    },
    forgetRecords,
    /** Checks pending values against the patterns of their columns, now that the engine is loaded. */
    checkPatterns(columns: readonly Column[]): void {
      const isCellInFlight = (key: RowKey, name: string) =>
        inFlight.get(key)?.sent.has(name) === true;
      change((now) => checkPatterns(now, columns, isCellInFlight));
    },
    /**
     * Applies the values of records that others have changed. Typed text stays: it is compared with the new values when
     * it is sent.
     * @param requestedAt when they were requested, by `performance.now()`
     * @returns those with an edit in progress, whose answer must be awaited first
     */
    applyRemote(
      jrids: readonly string[],
      found: ReadonlyMap<string, ServerRecord>,
      requestedAt: number,
    ): readonly string[] {
      const later = jrids.filter((jrid) => inFlight.has(jrid));
      for (const jrid of jrids) {
        if (inFlight.has(jrid) || (known.get(jrid)?.at ?? 0) > requestedAt) continue;
        const stored = found.get(jrid);
        const edited = cellsOf(edits.get(), jrid).size > 0;
        if (stored) receive(stored);
        else if (edited) change((now) => settleDeleted(now, jrid));
        if (stored && edited) savePending(jrid);
      }
      return later;
    },
    /** An answer about a record after `since`: newer than a list that was requested then. */
    newerThan(jrid: string, since: number): ServerRecord | undefined {
      const found = known.get(jrid);
      return found && found.at > since ? found : undefined;
    },
  };
}

export type EditStore = ReturnType<typeof createEditStore>;
