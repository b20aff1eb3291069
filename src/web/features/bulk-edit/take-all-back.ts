import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ArchiveDetail } from '#shared/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { toFailure } from '#web/api/failure.ts';
import { type Corrected, sendCorrection } from './bulk-edit.queries.ts';
import type { BulkBody, BulkEntry, KeywordEntry } from './bulk-request.ts';
import type { PlannedRevision } from './plan.ts';
import { readRefusal } from './refusal.ts';

/** What came of taking a correction back. */
export interface AllTakenBack {
  /** how many revisions hold their old values again */
  readonly count: number;
  /** the revisions that were left as they are now, each with why */
  readonly left: readonly { readonly revisionId: string; readonly message: string }[];
}

/** How often it is tried anew without those that the service refuses. */
const TRIES = 5;

/**
 * Puts the old values back into the revisions of a correction, in one step, each only where it is still
 * the version that the correction made. What somebody has edited since is left out and told.
 */
export function useTakeAllBack(archive: ArchiveDetail) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (corrected: Corrected): Promise<AllTakenBack> => {
      const left: { revisionId: string; message: string }[] = [];
      let entries = entriesOf(corrected);
      for (let tries = 1; entries.length > 0; tries++) {
        try {
          await sendCorrection(archive, { method: 'PATCH', body: { revisions: entries } });
          break;
        } catch (error) {
          const { byRevision } = readRefusal(toFailure(error));
          if (byRevision.size === 0 || tries === TRIES) throw error;
          for (const [revisionId, problems] of byRevision) {
            left.push({ revisionId, message: problems.map(({ message }) => message).join(' ') });
          }
          entries = entries.filter(({ revisionId }) => !byRevision.has(revisionId));
        }
      }
      return { count: entries.length, left };
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: archiveKeys.all });
    },
  });
}

/** The old values, for the versions that the correction has made. */
function entriesOf({ sent, etags }: Corrected): BulkBody['revisions'] {
  return sent.flatMap(({ revision: { revisionId }, edits }): BulkEntry[] => {
    const ifMatch = etags[revisionId];
    if (ifMatch === undefined || edits.length === 0) return [];
    const keywordFields = keywordsBefore(edits);
    return [
      {
        revisionId,
        ifMatch,
        indexFields: edits.flatMap((edit) =>
          edit.kind === 'field' ? [{ name: edit.name, value: edit.before }] : [],
        ),
        ...(keywordFields.length > 0 ? { keywordFields } : {}),
      },
    ];
  });
}

function keywordsBefore(edits: PlannedRevision['edits']): KeywordEntry[] {
  return edits.flatMap((edit): KeywordEntry[] => {
    if (edit.kind !== 'keywords') return [];
    const { name, before } = edit;
    if (before.length === 0) return [{ name, keywords: '' }];
    return before.map((value) => ({ name, value }));
  });
}
