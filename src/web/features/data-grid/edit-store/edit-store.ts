import type { Column } from '#shared/rules/definitions.ts';
import { createStore } from '#web/api/create-store.ts';
import { whenStore } from '#web/api/when-store.ts';
import type { Side } from '#web/fields/conflict-panel.tsx';
import * as undoTexts from '#messages/table-undo.ts';
import type { DatasetCalls } from './datasets.calls.ts';
import type { StoredEdits } from './edit-database.ts';
import {
  type CellWrite,
  countEdits,
  type Edits,
  hasUnsaved,
  jridOf,
  newRowOf,
  NO_EDITS,
  type RowKey,
  type ServerRecord,
  withoutNewRows,
  withoutRecords,
} from './edits.ts';
import { createRowCreator } from './create-rows.ts';
import { mergeEdits } from './merge-edits.ts';
import { createServerRecords } from './server-records.ts';
import { checkPatterns, isEmptied, resolveConflict, retryCell } from './settle-edits.ts';
import { createStepStore } from './step-store.ts';
import type { StepCell, TableStep } from './steps.ts';
import { withoutCells } from './update-rows.ts';
import { writeCells } from './write-cells.ts';

/** An upper limit of the edits of a tab. */
const EDITS_PER_MILLISECOND = 1_000;

/**
 * The pending edits of one table: text that is typed and not saved. It is the only such store of the grid
 * (`docs/decisions/0044-pending-edits.md`).
 * - A cell or new row has an entry in the store until the service has saved it. The rows show entries over the loaded
 * lists, so they are the optimistic update. Entries that cannot be sent (invalid, rejected, in conflict) stay until
 * they are corrected.
 * - Valid entries are sent: one call at a time per record, based on the version that the previous one returned. The
 * answers remove or mark the entries.
 * - The store outlives the page of the table, and `persist-edits.ts` stores it in the browser, so that no typed text is
 * lost with a tab. Idempotency keys and versions make repeated writes harmless.
 * - Each user action is an undo step (`step-store.ts`).
 * @param onStored receives the service's answers, for the lists that show the record
 */
export function createEditStore(calls: DatasetCalls, onStored: (stored: ServerRecord) => void) {
  // Higher than any sequence number that another tab of the browser has assigned before.
  const edits = createStore<Edits>({ ...NO_EDITS, sequence: Date.now() * EDITS_PER_MILLISECOND });
  const saved = createStore(0);
  const resumed = createStore(0);
  const change = (next: (edits: Edits) => Edits) => edits.set(next(edits.get()));
  const onSaved = () => saved.set(saved.get() + 1);

  const steps = createStepStore(edits);
  const pushStep = (label: string, step: Partial<Omit<TableStep, 'label'>>): TableStep =>
    steps.push({ label, cells: [], created: [], bulkEditId: null, ...step });

  const records = createServerRecords({ calls, edits, onStored, onSaved });
  const savePending = (key: RowKey) => {
    const jrid = jridOf(edits.get(), key);
    if (jrid !== undefined) records.save(jrid);
  };

  /** Writes cells and sends them. @returns the changes for an undo step */
  const writeAndSave = (cells: readonly CellWrite[]): readonly StepCell[] => {
    const written = writeCells(edits.get(), cells, records);
    edits.set(written.edits);
    for (const key of new Set(cells.map(({ key }) => key))) savePending(key);
    return written.changes;
  };

  return {
    get: edits.get,
    subscribe: edits.subscribe,
    calls,
    /** how many writes have succeeded */
    saved,
    /** Stores the present state of a record. */
    receive: records.receive,

    /** The edits and steps to store in the browser; null: none. */
    snapshot(): StoredEdits | null {
      const [now, all] = [edits.get(), steps.steps.get()];
      const hasSteps = all.done.length + all.undone.length > 0;
      return hasSteps || hasUnsaved(now) ? { edits: now, steps: all } : null;
    },
    /**
     * Adds the stored edits of a closed tab, and sends them.
     * @param withSteps whether it was this tab before a reload: its undo steps are restored too. The edits of another
     * tab become one step of this one.
     */
    resume(left: StoredEdits, { withSteps }: { readonly withSteps: boolean }): void {
      const { edits: merged, cells, count } = mergeEdits(edits.get(), left.edits);
      edits.set(merged);
      if (withSteps) steps.restore(left.steps);
      else if (cells.length > 0) pushStep(undoTexts.closedTab, { cells });
      const jrids = [...left.edits.records.keys()];
      // Records that cannot be loaded now are loaded when the table is opened the next time.
      if (jrids.length > 0) records.resume(jrids).catch(() => undefined);
      resumed.set(resumed.get() + count);
    },
    /** how many entries of closed tabs were added */
    resumed,

    /** The steps that can be undone, and those that were. */
    steps: steps.steps,
    revertNewest: steps.revertNewest,
    /** Adds a step that the service reverts. @param label text after “Undo” */
    rememberBulkEdit: (bulkEditId: string, label: string) => pushStep(label, { bulkEditId }),
    /** Adds a deletion of records. */
    rememberDeletion: (deleted: readonly string[], label: string) => pushStep(label, { deleted }),
    /** Registers that deleted records were restored by other means than undoing their step. */
    restored: steps.restored,
    /** Stores the writes of one user action: one undo step, which is returned; null: they have changed nothing. */
    write(cells: readonly CellWrite[], label: string): TableStep | null {
      const changes = writeAndSave(cells);
      return changes.length > 0 ? pushStep(label, { cells: changes }) : null;
    },
    /** Stores writes that belong to an earlier step: `amendSteps` adds them to it. @returns the changes */
    writeLater: writeAndSave,
    amendSteps: steps.amend,
    /** Stores writes that revert a step. A row without any content then counts as never started. */
    writeReverted(cells: readonly CellWrite[]): void {
      writeAndSave(cells);
      const keys = new Set(cells.map(({ key }) => key));
      change((now) => withoutNewRows(now, (row) => keys.has(row.key) && isEmptied(row)));
    },
    /**
     * Discards the text typed into cells, which then show the server's values. An entry without a column drops a row
     * that the server does not have, unless it is being sent.
     */
    discard(cells: readonly { readonly key: RowKey; readonly column: string | null }[]): void {
      const whole = new Set(cells.flatMap(({ key, column }) => (column === null ? key : [])));
      change((now) =>
        withoutNewRows(
          withoutCells(now, cells),
          ({ key, is }) => whole.has(key) && is !== 'sending',
        ),
      );
      const dropped = [...whole].filter((key) => newRowOf(edits.get(), key) === undefined);
      if (dropped.length > 0) steps.dropRows(dropped);
    },
    /** Sends a rejected cell again. */
    tryAgain(key: RowKey, column: string): void {
      change((now) => retryCell(now, key, column));
      savePending(key);
    },
    /** Settles a conflict in a cell. */
    choose(key: RowKey, column: Column, side: Side): void {
      change((now) => resolveConflict(now, jridOf(now, key) ?? key, column, side));
      savePending(key);
    },

    create: createRowCreator({
      calls,
      edits,
      onSending: steps.onSending,
      onCreated: (stored) => {
        records.receive(stored);
        records.save(stored.dataset.jrid);
      },
      onSaved,
    }),
    /** Resolves when no change is pending; rejects when the signal is aborted. */
    whenSaved: (signal: AbortSignal): Promise<void> =>
      whenStore(edits, (now) => countEdits(now).waiting === 0, signal),
    /** Removes rows that a list loaded since `at` contains. */
    forgetCreatedBefore(at: number): void {
      const old = (stored: ServerRecord | null) =>
        stored !== null && records.receivedAt(stored.dataset.jrid) < at;
      if (edits.get().newRows.some(({ stored }) => old(stored))) {
        change((now) => withoutNewRows(now, ({ stored }) => old(stored)));
      }
    },
    /** Removes the edits of records that no longer exist, and the rows that have created them. */
    forgetRecords(jrids: readonly string[]): void {
      const removed = new Set(jrids);
      change((now) =>
        withoutNewRows(
          withoutRecords(now, jrids),
          ({ stored }) => stored !== null && removed.has(stored.dataset.jrid),
        ),
      );
    },
    /** Checks pending values against the patterns of their columns, now that the engine is loaded. */
    checkPatterns(columns: readonly Column[]): void {
      change((now) => checkPatterns(now, columns, records.isSending));
    },
    applyRemote: records.applyRemote,
    newerThan: records.newerThan,
  };
}

export type EditStore = ReturnType<typeof createEditStore>;
