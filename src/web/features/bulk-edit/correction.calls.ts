import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { answers } from '#web/api/load-answer-schemas.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { writeData } from '#web/api/request.ts';
import type { BulkBody } from './bulk-request.ts';
import type { Method } from './plan.ts';

/** The variables of a correction call. */
export interface SentCorrection {
  readonly method: Method;
  readonly body: BulkBody;
  readonly signal?: AbortSignal;
  /** the bulk edit that it reverts; missing: it is stored as a new bulk edit */
  readonly reverts?: string | null;
}

/** The address of the call that corrects all revisions or none. */
export function correctionPath(archive: ArchiveDetail, reverts: string | null = null): string {
  const query = reverts === null ? 'receipt=true' : `takesBack=${reverts}`;
  return `${apiPaths.indexDataOfSeveral(archive.table)}?${query}`;
}

/** Sends a correction: all revisions or none. */
export async function sendCorrection(
  archive: ArchiveDetail,
  { method, body, signal, reverts }: SentCorrection,
) {
  const data = await writeData(correctionPath(archive, reverts), {
    method,
    body,
    signal,
    parse: async (raw) => (await answers()).revisionsAnswer.parse(raw),
  });
  const { etags = {}, bulkEditId = null } = data.meta ?? {};
  return { revisions: data.archivedocumentrevisions, etags, bulkEditId };
}
