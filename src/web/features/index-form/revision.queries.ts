import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Revision, RevisionDetail } from '#shared/contract/answers.ts';
import { answers } from '#web/api/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { writingOwn } from '#web/api/live/own-writes.ts';
import { apiPaths } from '#web/api/paths.ts';
import { type Answer, read, write } from '#web/api/request.ts';
import type { IndexDataBody, SaveMethod } from './request-body.ts';

/** A revision as it was read, with the version that was read. */
export interface RevisionRead {
  readonly revision: RevisionDetail;
  readonly etag: string | null;
}

/** One revision with its files, lock and version. */
export const revisionQuery = (archive: string, revisionId: string) =>
  queryOptions({
    queryKey: [...archiveKeys.one(archive), 'revision', revisionId],
    queryFn: async ({ signal }): Promise<RevisionRead> => {
      const { data, etag } = await read(apiPaths.revision(archive, revisionId), {
        signal,
        parse: parseDetail,
      });
      return { revision: data, etag };
    },
  });

/** The versions that this tab has made; it need not be told of them. */
const ownVersions = new Set<string>();
const versionKey = (archive: string, revisionId: string, etag: string | null) =>
  JSON.stringify([archive, revisionId, etag]);

/** Whether this tab has made a version of a revision itself. */
export function isOwnVersion(archive: string, revisionId: string, etag: string | null): boolean {
  return ownVersions.has(versionKey(archive, revisionId, etag));
}

async function makingVersion<T>(
  archive: string,
  revisionId: string,
  work: () => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const answer = await writingOwn({ kind: 'archive', id: archive }, [revisionId], work);
  ownVersions.add(versionKey(archive, revisionId, answer.etag));
  return answer;
}

/** Sends index data of one revision. @throws {CallError} */
export function sendIndexData(
  archive: string,
  revisionId: string,
  method: SaveMethod,
  body: IndexDataBody,
  ifMatch: string | null,
): Promise<Answer<Revision>> {
  const send = () =>
    write(apiPaths.indexData(archive, revisionId), {
      method,
      body,
      ifMatch,
      parse: async (raw) => {
        const [revision] = (await answers()).revisionsAnswer.parse(raw).archivedocumentrevisions;
        if (!revision) throw new Error('The answer holds no revision.');
        return revision;
      },
    });
  return makingVersion(archive, revisionId, send);
}

/** Locks a revision for oneself, or takes the lock away. @throws {CallError} */
export async function sendLock(
  archive: string,
  revisionId: string,
  locked: boolean,
  ifMatch: string | null,
): Promise<RevisionRead> {
  const send = () =>
    write(apiPaths.revision(archive, revisionId), {
      method: 'PATCH',
      body: { locked },
      ifMatch,
      parse: parseDetail,
    });
  const { data, etag } = await makingVersion(archive, revisionId, send);
  return { revision: data, etag };
}

/** Has a revision read anew where it is on the screen, else when it is next. */
export function invalidateRevision(
  client: QueryClient,
  archive: string,
  revisionId: string,
): Promise<void> {
  return client.invalidateQueries({ queryKey: revisionQuery(archive, revisionId).queryKey });
}

async function parseDetail(raw: unknown): Promise<RevisionDetail> {
  const [found] = (await answers()).revisionDetailAnswer.parse(raw).archivedocumentrevisions;
  if (!found) throw new Error('The answer holds no revision.');
  return found;
}
