import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import type { ArchiveDetail, Revision } from '#shared/contract/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { type ApiFailure, toFailure } from '#web/api/failure.ts';
import { useUndoHistory } from '#web/undo/use-undo.ts';
import { sendCorrection, type SentCorrection } from './correction.calls.ts';
import type { PlannedRevision } from './plan.ts';
import { readRevisions } from './read-revisions.ts';
import {
  type CorrectionStep,
  type RevertedCorrection,
  stepOfCorrection,
} from './revert-correction.ts';

export interface Correction extends Pick<SentCorrection, 'method' | 'body'> {
  /** the previous state of the revisions, with the changes of each */
  readonly planned: readonly PlannedRevision[];
}

export interface CorrectionResult {
  readonly revisions: readonly Revision[];
  /** the versions after the correction, by revisionId */
  readonly etags: Readonly<Record<string, string>>;
  /** reverts it; null: it changed nothing */
  readonly step: CorrectionStep | null;
}

/** Corrections of an archive run one after the other. */
const scopeOf = ({ table }: ArchiveDetail) => ({ id: `correction:${table}` });

/**
 * Corrects several revisions in one call, and adds a step to the undo history of the archive.
 * @param onFailed also called when the user stops waiting
 */
export function useSendCorrection(archive: ArchiveDetail, onFailed: (failure: ApiFailure) => void) {
  const client = useQueryClient();
  const history = useUndoHistory(archive.table);
  const stop = useRef<AbortController>(null);
  const correction = useMutation({
    scope: scopeOf(archive),
    mutationFn: async ({ planned, ...sent }: Correction): Promise<CorrectionResult> => {
      stop.current = new AbortController();
      const { signal } = stop.current;
      const answered = await sendCorrection(archive, { ...sent, signal });
      const step = stepOfCorrection(client, archive, planned, answered.bulkEditId);
      return { ...answered, step };
    },
    onSuccess: ({ step }) => {
      history.push(step);
      void client.invalidateQueries({ queryKey: archiveKeys.all });
    },
    onError: (error) => onFailed(toFailure(error)),
  });
  return { correction, stopWaiting: () => stop.current?.abort() };
}

/** Reverts the last correction. */
export function useRevertCorrection(archive: ArchiveDetail) {
  const history = useUndoHistory(archive.table);
  return useMutation({
    scope: scopeOf(archive),
    mutationFn: (step: CorrectionStep): Promise<RevertedCorrection> => step.revert(),
    onSuccess: ({ inverse }, step) => history.replace(step, inverse),
  });
}

/** Reloads revisions of a selection. @param onRead gets the found revisions, and the requested ids */
export function useReloadRevisions(
  archive: ArchiveDetail,
  onRead: (found: Awaited<ReturnType<typeof readRevisions>>, ids: readonly string[]) => void,
) {
  return useMutation({
    mutationFn: (ids: readonly string[]) => readRevisions(archive, ids),
    onSuccess: onRead,
  });
}
