import { useState } from 'react';
import { useStore } from '#web/api/use-store.ts';
import type { Column } from '#shared/rules/definitions.ts';
import { useQueryClient } from '@tanstack/react-query';
import { connection } from '#web/api/connection.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import { nameOfIn } from '#web/api/display-names.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import { notify, notifyFailure, notifyReasons } from '#web/ui/notify.ts';
import type { UndoDirection } from '#web/undo/undo-steps.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import { undoModule } from './lazy-undo-module.ts';
import { type RevertBulkEdit, revertNewest } from './revert-newest.ts';
import type { StepOutcome } from './revert-step.ts';
import * as texts from '#messages/table-undo.ts';
import * as undoTexts from '#messages/undo.ts';

interface UndoOptions {
  readonly editStore: EditStore;
  /** all columns of the table, shown or not */
  readonly columns: readonly Column[];
  /** records were restored or deleted: the list must be reloaded. @param back the restored ones */
  readonly onRecords: (restored: readonly string[]) => void;
  /** moves to the reverted cells */
  readonly onShow: (cells: StepOutcome['reverted']) => void;
  /** starts the service's revert of a bulk edit, such as a large paste */
  readonly revertBulkEdit: RevertBulkEdit;
}

/** Undo and redo, with messages about the result. */
export function useTableUndo({
  editStore,
  columns,
  onRecords,
  onShow,
  revertBulkEdit,
}: UndoOptions) {
  const steps = useStore(editStore.steps);
  const client = useQueryClient();
  const { username } = useSession();
  const context = { editStore, columns, username };
  const [isReverting, setIsReverting] = useState(false);
  const undoOrRedo = (direction: UndoDirection) => {
    const candidates = () => editStore.steps.get()[direction === 'undo' ? 'done' : 'undone'];
    if (connection.get() === 'lost' && candidates().length > 0) {
      notify(texts.doneWhenBack);
    }
    const work = async () => {
      setIsReverting(true);
      try {
        const outcome = await revertNewest(direction, context, revertBulkEdit);
        if (!outcome && candidates().length === 0) {
          notify(direction === 'undo' ? undoTexts.nothingToUndo : undoTexts.nothingToRedo);
        }
        if (!outcome) return;
        const { created, deleted = [], bulkEditId } = outcome.of;
        if (created.length + deleted.length > 0) onRecords(direction === 'undo' ? deleted : []);
        onShow(outcome.reverted);
        if (bulkEditId !== null) return;
        const { reportOf } = await undoModule.load();
        const { message, reasons } = reportOf(direction, outcome, columns, nameOfIn(client));
        notifyReasons(message, reasons);
      } catch (error) {
        notifyFailure(texts.nothingUndone(summary(toFailure(error))));
      } finally {
        setIsReverting(false);
      }
    };
    void work();
  };
  return {
    undoOrRedo,
    isReverting,
    undo: steps.done.at(-1)?.label ?? null,
    redo: steps.undone.at(-1)?.label ?? null,
  };
}

export type TableUndo = ReturnType<typeof useTableUndo>;
