import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { RevisionDetail } from '#shared/contract/answers.ts';
import { answers } from './answers.ts';
import { archiveKeys } from './archives.queries.ts';
import { apiPaths } from './paths.ts';
import { read } from './request.ts';

/** A revision as it was read, with the version that was read. */
export interface RevisionRead {
  readonly revision: RevisionDetail;
  readonly etag: string | null;
}

/** One revision with its files, lock and version. */
export const revisionQuery = (archive: string, revisionId: string) =>
  queryOptions({
    queryKey: archiveKeys.revision(archive, revisionId),
    queryFn: async ({ signal }): Promise<RevisionRead> => {
      const { data, etag } = await read(apiPaths.revision(archive, revisionId), {
        signal,
        parse: parseRevision,
      });
      return { revision: data, etag };
    },
  });

/** Reads a revision now, whatever the cache has, and updates the lists that show it. @throws {CallError} */
export async function refetchRevision(
  client: QueryClient,
  archive: string,
  revisionId: string,
): Promise<RevisionRead> {
  const now = await client.query({ ...revisionQuery(archive, revisionId), staleTime: 0 });
  updateLists(client, archive, now.revision);
  return now;
}

/** Writes a new version of a revision into the cache: its own entry, and the lists that show it. */
export function setRevision(client: QueryClient, archive: string, now: RevisionRead): void {
  client.setQueryData(archiveKeys.revision(archive, now.revision.revisionId), now);
  updateLists(client, archive, now.revision);
}

/** Invalidates a revision: it is read again at once where it is on the screen, else when it is next shown. */
export function invalidateRevision(
  client: QueryClient,
  archive: string,
  revisionId: string,
): Promise<void> {
  return client.invalidateQueries({ queryKey: archiveKeys.revision(archive, revisionId) });
}

/** Invalidates what depends on the values of revisions: lists that are not on the screen, and counts of views. */
export function invalidateDependents(client: QueryClient, archive: string): void {
  // A list on the screen keeps its rows in place. Without `none`, an invalid inactive one would be read at once.
  const hidden = { type: 'inactive', refetchType: 'none' } as const;
  void client.invalidateQueries({ queryKey: archiveKeys.lists(archive), ...hidden });
  void client.invalidateQueries({ queryKey: archiveKeys.viewCounts(archive) });
}

/** Updates a revision's row in every list of the cache that has it; no row moves. */
function updateLists(client: QueryClient, archive: string, revision: RevisionDetail): void {
  const { revisionId, indexFields, keywordFields, changedAt, changedBy, locked } = revision;
  const change = { indexFields, keywordFields, changedAt, changedBy, locked };
  const queryKey = [...archiveKeys.lists(archive), 'page'];
  client.setQueriesData<PageOfRows>({ queryKey }, (page) => {
    const at = page?.archivedocuments.findIndex((row) => row.revisionId === revisionId) ?? -1;
    const row = page?.archivedocuments[at];
    if (!page || !row) return page;
    return { ...page, archivedocuments: page.archivedocuments.with(at, { ...row, ...change }) };
  });
  invalidateDependents(client, archive);
}

/** What updating a row has to know of a page of a list. */
interface PageOfRows {
  readonly archivedocuments: readonly { readonly revisionId: string }[];
}

/** The revision of an answer that holds one. */
export async function parseRevision(raw: unknown): Promise<RevisionDetail> {
  const [found] = (await answers()).revisionDetailAnswer.parse(raw).archivedocumentrevisions;
  if (!found) throw new Error('The answer holds no revision.');
  return found;
}
