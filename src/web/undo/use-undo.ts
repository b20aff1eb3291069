import * as texts from '#messages/undo.ts';
import { useQueryClient } from '@tanstack/react-query';
import { toFailure } from '#web/api/failure.ts';
import { useSession } from '#web/api/session.queries.ts';
import { useStore } from '#web/api/use-store.ts';
import { notify, notifyFailure, notifyReasons } from '#web/ui/notify.ts';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { type UndoHistory, type RevertibleStep, undoHistoryOf } from './undo-history.ts';
import { UNDO_KEYS } from './undo-keys.ts';
import type { UndoDirection } from './undo-steps.ts';

interface UndoOptions {
  readonly history: UndoHistory;
  /** the record on the screen, if any */
  readonly shownId: string | undefined;
  /** opens another record */
  readonly onOpen: ((recordId: string) => void) | undefined;
  /** opens the record of an undone or redone step at once, instead of offering it */
  readonly opensRecord?: boolean;
  /** the change of a record was undone (false) or redone (true) */
  readonly onReverted?: ((recordId: string, isRedone: boolean) => void) | undefined;
}

/** Errors that a retry would repeat: the step can no longer be reverted. */
const FINAL_STATUSES: readonly number[] = [403, 404, 422];

/** The history of the user in an archive or table. @param list the table name of the archive, or the GUID of the table */
export function useUndoHistory(list: string): UndoHistory {
  const { username } = useSession();
  return undoHistoryOf(useQueryClient(), username, list);
}

/** Undoes the user's last action in an archive, in any record, and redoes it. */
export function useUndo(options: UndoOptions) {
  const { history, shownId, onOpen, opensRecord = false, onReverted } = options;
  const { done, lastRecord } = useStore(history);

  const openAction = ({ recordId }: RevertibleStep) =>
    recordId === null || !onOpen || recordId === shownId
      ? []
      : [{ label: texts.openRevision(recordId), onPress: () => onOpen(recordId) }];

  const run = (direction: UndoDirection) =>
    history.run(async () => {
      const isRedo = direction === 'redo';
      const steps = history.get();
      const next = (isRedo ? steps.undone : steps.done).at(-1);
      if (!next) return notify(isRedo ? texts.nothingToRedo : texts.nothingToUndo);
      try {
        const { report, inverse } = await next.revert();
        history.replace(next, inverse);
        const redo = { label: texts.redo, onPress: () => void run('redo') };
        const { message, reasons } = report(direction);
        notifyReasons(
          message,
          reasons,
          ...(inverse && !isRedo ? [redo] : []),
          ...(opensRecord ? [] : openAction(next)),
        );
        if (next.recordId === null) return;
        if (inverse) onReverted?.(next.recordId, isRedo);
        if (opensRecord) onOpen?.(next.recordId);
      } catch (error) {
        const failure = toFailure(error);
        const status = failure.kind === 'api' ? failure.status : null;
        if (status !== null && FINAL_STATUSES.includes(status)) history.replace(next, null);
        notifyFailure(
          next.failure(direction, failure),
          ...(status === 404 ? [] : openAction(next)),
        );
      }
    });

  return {
    /** the next step to undo */
    step: done.at(-1),
    /** the single record of the last action, if nothing was done since */
    lastRecord,
    undo: () => run('undo'),
    redo: () => run('redo'),
  };
}

export type Undo = ReturnType<typeof useUndo>;

interface UndoShortcutOptions {
  readonly enabled?: boolean;
  /** false: the key for undo is left to the browser */
  readonly canUndo?: boolean;
  /** whether the keys also apply while the user types in a field */
  readonly inFields?: boolean;
}

/** The keys for undo and redo on a page without a form, which would handle them itself. */
export function useUndoShortcuts(
  { undo, redo }: Pick<Undo, 'undo' | 'redo'>,
  { enabled = true, canUndo = true, inFields = true }: UndoShortcutOptions,
): void {
  useShortcut(UNDO_KEYS.undo, () => void undo(), { inFields, enabled: enabled && canUndo });
  useShortcut(UNDO_KEYS.redo, () => void redo(), { inFields, enabled });
  useShortcut(UNDO_KEYS.redoAlternative, () => void redo(), { inFields, enabled });
}
