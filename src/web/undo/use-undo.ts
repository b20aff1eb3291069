import * as texts from '#messages/undo.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import { notify } from '#web/ui/notify.ts';
import {
  redoStepOf,
  type UndoHistory,
  type RevertibleStep,
  undoStepOf,
  useLastRecord,
  useUndoStep,
  type Verb,
} from './undo-history.ts';

interface UndoOptions {
  readonly history: UndoHistory;
  /** the record on the screen, if any */
  readonly shownId: string | undefined;
  /** opens another record */
  readonly onOpen: ((recordId: string) => void) | undefined;
  /** opens the record of a step that was undone or redone at once, instead of offering it */
  readonly opensRecord?: boolean;
  /** the change of a record was undone (false), or redone */
  readonly onReverted?: ((recordId: string, isRedone: boolean) => void) | undefined;
}

/** What the service refuses in this way it would refuse again: the step cannot be reverted any more. */
const FINAL_STATUSES: readonly number[] = [403, 404, 422];

/** Undoes what the user did last in an archive, in whichever records, and redoes it. */
export function useUndo(options: UndoOptions) {
  const { history, shownId, onOpen, opensRecord = false, onReverted } = options;
  const step = useUndoStep(history);
  const lastRecord = useLastRecord(history);

  const openAction = ({ recordId }: RevertibleStep) =>
    recordId === null || !onOpen || recordId === shownId
      ? []
      : [{ label: texts.openRevision(recordId), onPress: () => onOpen(recordId) }];

  const run = (verb: Verb) =>
    history.run(async () => {
      const isRedo = verb === 'redone';
      const next = isRedo ? redoStepOf(history) : undoStepOf(history);
      if (!next) return notify(isRedo ? texts.nothingToRedo : texts.nothingToUndo);
      try {
        const { message, inverse } = await next.revert();
        history.replace(next, inverse);
        const redo = { label: texts.redo, onPress: () => void run('redone') };
        notify(
          message(verb),
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
        notify(
          status === 404 && next.recordId !== null
            ? texts.notFound(next.recordId)
            : next.failure(verb, summary(failure)),
          ...(status === 404 ? [] : openAction(next)),
        );
      }
    });

  return {
    /** what would be undone next */
    step,
    /** the record that was changed last, where nothing was done since */
    lastRecord,
    undo: () => run('undone'),
    redo: () => run('redone'),
  };
}

export type Undo = ReturnType<typeof useUndo>;
