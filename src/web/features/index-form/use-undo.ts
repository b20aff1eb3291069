import { useQueryClient } from '@tanstack/react-query';
import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import { aboutStep, undoOf, type UndoStep, useLastSaved, useUndoStep } from '#web/api/undo.ts';
import { notify } from '#web/ui/notify.ts';
import { fieldValueOf } from './field-value.ts';
import { inverseOf, takeBack, revertedSaveText, togetherWords, type Verb } from './revert-save.ts';
import { inputAssistOf } from './input-assist.ts';

interface UndoOptions {
  readonly archive: ArchiveDetail;
  readonly username: string;
  /** the revision on the screen, if any */
  readonly revisionId: string | undefined;
  readonly onChanged: (revision: RevisionDetail) => void;
  /** opens another revision */
  readonly onOpen: ((revisionId: string) => void) | undefined;
  /** a save of this revision is undone */
  readonly onTaken?: (revisionId: string) => void;
  /** a revision stands again as before its save (false), or as after it */
  readonly onTurned?: ((revisionId: string, done: boolean) => void) | undefined;
}

/** What the service refuses it would refuse again, before what was done earlier. */
const LASTING: readonly number[] = [403, 404, 422];

/** Undoing what the user did last in the archive, in whichever revisions it was, and doing it again. */
export function useUndo(options: UndoOptions) {
  const { archive, username, revisionId, onChanged, onOpen, onTaken, onTurned } = options;
  const client = useQueryClient();
  const stack = undoOf(client, username, archive.table);
  const step = useUndoStep(stack);
  const saved = useLastSaved(stack);

  const openOf = (one: UndoStep) => {
    if (one.kind !== 'saved' || !onOpen || one.revisionId === revisionId) return [];
    const id = one.revisionId;
    return [{ label: `Open revision ${id}`, onPress: () => onOpen(id) }];
  };
  const reverse = async (one: UndoStep, verb: Verb) => {
    if (one.kind === 'together') {
      const taken = await one.takeBack();
      return { words: togetherWords(taken, verb), inverse: taken.inverse };
    }
    const taken = await takeBack(client, archive, one, onChanged);
    inputAssistOf(client, username, archive.table).rewritten(
      one.revisionId,
      new Map(
        taken.changes.map((change) => [
          `${change.kind}.${change.name}`,
          fieldValueOf(archive, change, change.before),
        ]),
      ),
    );
    const inverse = taken.changes.length > 0 ? inverseOf(one.revisionId, taken) : null;
    return { words: revertedSaveText(one.revisionId, taken, verb), inverse };
  };
  const redo = () =>
    stack.alone(async () => {
      const again = stack.topAgain();
      if (!again) return notify('There is nothing to redo.');
      try {
        const { words, inverse } = await reverse(again, 'redone');
        stack.doneAgain(again, inverse);
        notify(words, ...openOf(again));
        if (again.kind === 'saved') {
          onTurned?.(again.revisionId, true);
          onTaken?.(again.revisionId);
        }
      } catch (error) {
        const failure = toFailure(error);
        if (failure.kind === 'api' && LASTING.includes(failure.status)) {
          stack.doneAgain(again, null);
        }
        notify(`Nothing was redone in ${about(again)}. ${summary(failure)}`, ...openOf(again));
      }
    });
  const undo = () =>
    stack.alone(async () => {
      const last = stack.top();
      if (!last) return notify('There is nothing to undo.');
      const open = openOf(last);
      try {
        const { words, inverse } = await reverse(last, 'undone');
        stack.takenBack(last, inverse);
        const again = { label: 'Redo', onPress: () => void redo() };
        notify(words, ...(inverse ? [again] : []), ...(onTaken ? [] : open));
        if (last.kind === 'saved') {
          if (inverse) onTurned?.(last.revisionId, false);
          onTaken?.(last.revisionId);
        }
      } catch (error) {
        const failure = toFailure(error);
        if (failure.kind === 'api' && LASTING.includes(failure.status)) stack.drop(last);
        const gone = last.kind === 'saved' && failure.kind === 'api' && failure.status === 404;
        notify(
          gone
            ? `Revision ${last.revisionId} was not found.`
            : `The ${last.kind === 'saved' ? 'save' : 'correction'} of ${about(last)} is not undone. ${summary(failure)}`,
          ...(gone ? [] : open),
        );
      }
    });
  return { step, saved, undo, redo };
}

function about(step: UndoStep): string {
  return step.kind === 'saved' ? `revision ${step.revisionId}` : aboutStep(step);
}

export type Undo = ReturnType<typeof useUndo>;
