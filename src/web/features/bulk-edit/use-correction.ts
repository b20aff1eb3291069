import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ArchiveDetail, Revision } from '#shared/contract/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { useSession } from '#web/api/session.queries.ts';
import { undoHistoryOf } from '#web/undo/undo-history.ts';
import { type Sent, sendCorrection } from './bulk-edit.queries.ts';
import type { PlannedRevision } from './plan.ts';
import { type CorrectionStep, stepOfCorrection } from './revert-bulk-edit.ts';

interface Correction extends Sent {
  /** the revisions as they were before, with what changes in each */
  readonly planned: readonly PlannedRevision[];
}

export interface Corrected {
  readonly revisions: readonly Revision[];
  /** the versions after the correction, by revisionId */
  readonly etags: Readonly<Record<string, string>>;
  /** reverts it; null: it has changed nothing */
  readonly step: CorrectionStep | null;
}

/**
 * Corrects; afterwards everything read about archives is read again where it is shown. It can be taken
 * back in its turn, like any save in the archive.
 */
export function useCorrection(archive: ArchiveDetail) {
  const client = useQueryClient();
  const { username } = useSession();
  return useMutation({
    mutationFn: async ({ planned, ...sent }: Correction): Promise<Corrected> => {
      const answered = await sendCorrection(archive, sent);
      const step = stepOfCorrection(client, archive, planned, answered.bulkEditId);
      undoHistoryOf(client, username, archive.table).push(step);
      return { ...answered, step };
    },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: archiveKeys.all });
    },
  });
}
