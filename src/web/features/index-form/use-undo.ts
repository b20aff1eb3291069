import { useQueryClient } from '@tanstack/react-query';
import type { ArchiveDetail, RevisionDetail } from '#shared/answers.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import { notify } from '#web/ui/notify.ts';
import { inverseOf, takeBack, takenBackWords } from './take-back.ts';
import { undoOf, type UndoStep, useUndoStep } from './undo.ts';

interface UndoOptions {
  readonly archive: ArchiveDetail;
  readonly username: string;
  /** the revision on the screen, if any */
  readonly revisionId: string | undefined;
  readonly onChanged: (revision: RevisionDetail) => void;
  /** opens another revision */
  readonly onOpen: ((revisionId: string) => void) | undefined;
  /** a save of this revision is taken back */
  readonly onTaken?: (revisionId: string) => void;
}

/** Taking back the last save of the user in the archive, in whichever revision it was. */
export function useUndo(options: UndoOptions) {
  const { archive, username, revisionId, onChanged, onOpen, onTaken } = options;
  const client = useQueryClient();
  const stack = undoOf(client, username, archive.table);
  const step = useUndoStep(stack);

  const openOf = (id: string) =>
    onOpen && id !== revisionId
      ? [{ label: `Open revision ${id}`, onPress: () => onOpen(id) }]
      : [];
  const redo = (inverse: UndoStep) =>
    stack.alone(async () => {
      const { revisionId: id } = inverse;
      try {
        const again = await takeBack(client, archive, inverse, onChanged);
        // Once more a save that can be taken back.
        stack.push(inverseOf(id, again));
        notify(takenBackWords(id, again, 'done again'), ...openOf(id));
      } catch (error) {
        notify(`Revision ${id} stays as it is. ${summary(toFailure(error))}`, ...openOf(id));
      }
    });
  const undo = () =>
    stack.alone(async () => {
      const last = stack.top();
      if (!last) return notify('There is nothing to take back.');
      const open = openOf(last.revisionId);
      try {
        const taken = await takeBack(client, archive, last, onChanged);
        stack.drop(last);
        const inverse = inverseOf(last.revisionId, taken);
        const again = { label: 'Redo', onPress: () => void redo(inverse) };
        notify(
          takenBackWords(last.revisionId, taken),
          ...(taken.changes.length > 0 ? [again] : []),
          ...(onTaken ? [] : open),
        );
        onTaken?.(last.revisionId);
      } catch (error) {
        const failure = toFailure(error);
        // What the service refuses it would refuse again, before the saves below this one.
        if (failure.kind === 'api' && [403, 404, 422].includes(failure.status)) stack.drop(last);
        notify(
          failure.kind === 'api' && failure.status === 404
            ? `Revision ${last.revisionId} is not there any more.`
            : `The save of revision ${last.revisionId} is not taken back. ${summary(failure)}`,
          ...(failure.kind === 'api' && failure.status === 404 ? [] : open),
        );
      }
    });
  return { step, undo };
}
