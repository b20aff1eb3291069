import { useQueryClient } from '@tanstack/react-query';
import type { ArchiveDetail, RevisionDetail } from '#shared/answers.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import { notify } from '#web/ui/notify.ts';
import { takeBack, takenBackWords } from './take-back.ts';
import { undoOf, useUndoStep } from './undo.ts';

interface UndoOptions {
  readonly archive: ArchiveDetail;
  readonly username: string;
  /** the revision on the screen */
  readonly revisionId: string;
  readonly onChanged: (revision: RevisionDetail) => void;
  /** opens another revision */
  readonly onOpen: ((revisionId: string) => void) | undefined;
}

/** Taking back the last save of the user in the archive, in whichever revision it was. */
export function useUndo({ archive, username, revisionId, onChanged, onOpen }: UndoOptions) {
  const client = useQueryClient();
  const stack = undoOf(client, username, archive.table);
  const step = useUndoStep(stack);

  const undo = () =>
    stack.alone(async () => {
      const last = stack.top();
      if (!last) return notify('There is nothing to take back.');
      const open =
        onOpen && last.revisionId !== revisionId
          ? { label: `Open revision ${last.revisionId}`, onPress: () => onOpen(last.revisionId) }
          : undefined;
      try {
        const taken = await takeBack(client, archive, last, onChanged);
        stack.drop(last);
        notify(takenBackWords(last.revisionId, taken), open);
      } catch (error) {
        const failure = toFailure(error);
        // What the service refuses it would refuse again, before the saves below this one.
        if (failure.kind === 'api' && [403, 404, 422].includes(failure.status)) stack.drop(last);
        notify(
          failure.kind === 'api' && failure.status === 404
            ? `Revision ${last.revisionId} is not there any more.`
            : `The save of revision ${last.revisionId} is not taken back. ${summary(failure)}`,
          failure.kind === 'api' && failure.status === 404 ? undefined : open,
        );
      }
    });
  return { step, undo };
}
