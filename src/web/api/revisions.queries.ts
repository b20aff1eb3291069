import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type {
  CheckException,
  Finding,
  Revision,
  RevisionDetail,
  RevisionMeta,
} from '#shared/contract/answers.ts';
import { answers, onlyItem } from './load-answer-schemas.ts';
import { archiveKeys } from './archives.queries.ts';
import { apiPaths } from './api-paths.ts';
import { readHistory } from './history.ts';
import { read } from './request.ts';

/** A revision as read, with its version. */
export interface VersionedRevision extends CheckResults {
  readonly revision: RevisionDetail;
  readonly etag: string | null;
}

/** What the checks of the archive find in a revision. */
interface CheckResults {
  readonly findings?: readonly Finding[];
  /** the failed checks for which the revision has an exception */
  readonly exceptions?: readonly CheckException[];
}

/** One revision with its files, lock and version. */
export const revisionQuery = (archive: string, revisionId: string) =>
  queryOptions({
    queryKey: archiveKeys.revision(archive, revisionId),
    queryFn: async ({ signal }): Promise<VersionedRevision> => {
      const { data, etag } = await read(apiPaths.revision(archive, revisionId), {
        signal,
        parse: parseRevision,
      });
      return { ...data, etag };
    },
  });

/** The history of a revision, newest first. @param version its ETag, so that every save reads it again */
export const revisionHistoryQuery = (archive: string, revisionId: string, version: string | null) =>
  queryOptions({
    queryKey: [...archiveKeys.history(archive, revisionId), version],
    queryFn: ({ signal }) => readHistory(apiPaths.revisionHistory(archive, revisionId), signal),
  });

/** Refetches a revision, ignoring the cache, and updates the lists that show it. @throws {CallError} */
export async function refetchRevision(
  client: QueryClient,
  archive: string,
  revisionId: string,
): Promise<VersionedRevision> {
  const now = await client.query({ ...revisionQuery(archive, revisionId), staleTime: 0 });
  updateLists(client, archive, now);
  return now;
}

/** Stores a new version of a revision in the cache: its own entry, and the lists that show it. */
export function setRevision(client: QueryClient, archive: string, now: VersionedRevision): void {
  client.setQueryData(archiveKeys.revision(archive, now.revision.revisionId), now);
  updateLists(client, archive, now);
}

/** Invalidates a revision: it is refetched at once if it is on the screen, otherwise when it is next shown. */
export function invalidateRevision(
  client: QueryClient,
  archive: string,
  revisionId: string,
): Promise<void> {
  return client.invalidateQueries({ queryKey: archiveKeys.revision(archive, revisionId) });
}

/** Invalidates what depends on the values of revisions: lists that are not on the screen, and counts of views. */
export function invalidateDependents(client: QueryClient, archive: string): void {
  // A visible list keeps its rows in place. Without `none`, an invalidated inactive query would be refetched at once.
  const hidden = { type: 'inactive', refetchType: 'none' } as const;
  void client.invalidateQueries({ queryKey: archiveKeys.lists(archive), ...hidden });
  void client.invalidateQueries({ queryKey: archiveKeys.viewCounts(archive) });
}

/** Updates a revision's row in every list of the cache that has it; no row moves. */
function updateLists(
  client: QueryClient,
  archive: string,
  { revision, findings }: VersionedRevision,
): void {
  const { revisionId, indexFields, keywordFields, changedAt, changedBy, locked } = revision;
  const change = { indexFields, keywordFields, changedAt, changedBy, locked };
  const queryKey = [...archiveKeys.lists(archive), 'page'];
  client.setQueriesData<PageOfRows>({ queryKey }, (page) => {
    const at = page?.archivedocuments.findIndex((row) => row.revisionId === revisionId) ?? -1;
    const row = page?.archivedocuments[at];
    if (!page || !row) return page;
    const found = row.findings && findings && { findings };
    const now = { ...row, ...change, ...found };
    return { ...page, archivedocuments: page.archivedocuments.with(at, now) };
  });
  invalidateDependents(client, archive);
}

/** The parts of a page of a list that updating a row needs. */
interface PageOfRows {
  readonly archivedocuments: readonly {
    readonly revisionId: string;
    readonly findings?: CheckResults['findings'] | undefined;
  }[];
}

/** The revision of an answer, with the findings of checks. */
export async function parseRevision(raw: unknown): Promise<Omit<VersionedRevision, 'etag'>> {
  const answer = (await answers()).revisionDetailAnswer.parse(raw);
  const revision = onlyItem(answer.archivedocumentrevisions);
  return { revision, ...checkResultsOf(answer.meta) };
}

/** The values of a written revision, with the findings of checks. */
export async function parseWrittenRevision(
  raw: unknown,
): Promise<CheckResults & { readonly values: Pick<Revision, 'indexFields' | 'keywordFields'> }> {
  const answer = (await answers()).revisionsAnswer.parse(raw);
  const { indexFields, keywordFields } = onlyItem(answer.archivedocumentrevisions);
  return { values: { indexFields, keywordFields }, ...checkResultsOf(answer.meta) };
}

/** Of an answer about one revision. */
function checkResultsOf(meta: RevisionMeta | undefined): CheckResults {
  const { findings, exceptions } = meta ?? {};
  return {
    ...(Array.isArray(findings) && { findings }),
    ...(exceptions && { exceptions }),
  };
}
