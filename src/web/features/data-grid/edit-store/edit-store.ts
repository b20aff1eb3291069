import type { QueryClient } from '@tanstack/react-query';
import type { Column } from '#shared/rules/definitions.ts';
import { createStore } from '#web/api/create-store.ts';
import { whenStore } from '#web/api/when-store.ts';
import type { DatasetCalls } from './datasets.calls.ts';
import {
  type CellWrite,
  countEdits,
  type Edits,
  jridOf,
  NO_EDITS,
  type RowKey,
  type ServerRecord,
  withoutNewRows,
  withoutRecords,
} from './edits.ts';
import { createEditCorrector } from './correct-edits.ts';
import { createRowCreator } from './create-rows.ts';
import { createServerRecords } from './server-records.ts';
import { checkPatterns, isEmptied } from './settle-edits.ts';
import { createStoreSnapshot } from './store-snapshot.ts';
import { writeCells } from './write-cells.ts';
import { createEditSteps } from '../undo/edit-steps.ts';
import type { PushStep, StepCell, TableStep } from './steps.ts';

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
  const saved = createStore(0);
  const change = (next: (edits: Edits) => Edits) => edits.set(next(edits.get()));
  const onSaved = () => saved.set(saved.get() + 1);

  const records = createServerRecords({ client, guid, calls, edits, onStored, onSaved });
  const savePending = (key: RowKey) => {
    const jrid = jridOf(edits.get(), key);
    if (jrid !== undefined) void records.save(jrid);
  };

  const create = createRowCreator({
    client,
    guid,
    calls,
    edits,
    onSending: () => undoSteps.onSending(),
    onCreated: (stored) => {
      records.receive(stored);
      void records.save(stored.dataset.jrid);
    },
    onSaved,
  });

  /** Writes cells and sends them. @returns the changes for an undo step */
  const writeAndSave = (cells: readonly CellWrite[]): readonly StepCell[] => {
    const written = writeCells(edits.get(), cells, records);
    edits.set(written.edits);
    for (const key of new Set(cells.map(({ key }) => key))) savePending(key);
    return written.changes;
  };

  const forgetRecords = (jrids: readonly string[]): void => {
    const removed = new Set(jrids);
    change((now) =>
      withoutNewRows(
        withoutRecords(now, jrids),
        ({ stored }) => stored !== null && removed.has(stored.dataset.jrid),
      ),
    );
  };

  const undoSteps = createEditSteps({
    calls,
    edits,
    receive: records.receive,
    write: (cells) => {
      writeAndSave(cells);
      // A row without any content counts as never started.
      const turned = new Set(cells.map(({ key }) => key));
      change((now) => withoutNewRows(now, (row) => turned.has(row.key) && isEmptied(row)));
    },
    forget: forgetRecords,
  });

  const pushStep: PushStep = (label, step) =>
    undoSteps.push({ label, cells: [], created: [], bulkEditId: null, ...step });

  return {
    ...createStoreSnapshot({ edits, undoSteps, records, pushStep }),
    get: edits.get,
    subscribe: edits.subscribe,
    /** how many writes have succeeded */
    saved,

    /** The steps that can be undone, and those that were. */
    steps: undoSteps.steps,
    undo: undoSteps.undo,
    redo: undoSteps.redo,
    /** Adds a step that the service reverts. @param label text after “Undo” */
    rememberBulkEdit: (bulkEditId: string, label: string) => pushStep(label, { bulkEditId }),
    /** Adds a deletion of records. */
    rememberDeletion: (deleted: readonly string[], label: string) => pushStep(label, { deleted }),
    /** Registers that deleted records were restored by other means than undoing their step. */
    restored: undoSteps.restored,
    /** Stores the writes of one user action: one undo step, which is returned; null: they have changed nothing. */
    write(cells: readonly CellWrite[], label: string): TableStep | null {
      const changes = writeAndSave(cells);
      return changes.length > 0 ? pushStep(label, { cells: changes }) : null;
    },
    /** Stores writes that belong to an earlier step: `amendSteps` adds them to it. @returns the changes */
    writeLater: writeAndSave,
    amendSteps: undoSteps.amend,
    ...createEditCorrector({ edits, savePending, onDropped: undoSteps.dropRows }),

    create,
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
    forgetRecords,
    /** Checks pending values against the patterns of their columns, now that the engine is loaded. */
    checkPatterns(columns: readonly Column[]): void {
      change((now) => checkPatterns(now, columns, records.isSending));
    },
    applyRemote: records.applyRemote,
    newerThan: records.newerThan,
  };
}

export type EditStore = ReturnType<typeof createEditStore>;
