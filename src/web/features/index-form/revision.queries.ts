import { queryOptions } from '@tanstack/react-query';
import type { Revision, RevisionDetail } from '#shared/answers.ts';
import { answers } from '#web/api/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
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

/** Sends index data of one revision. @throws {CallError} */
export function sendIndexData(
  archive: string,
  revisionId: string,
  method: SaveMethod,
  body: IndexDataBody,
  ifMatch: string | null,
): Promise<Answer<Revision>> {
  return write(apiPaths.indexData(archive, revisionId), {
    method,
    body,
    ifMatch,
    parse: async (raw) => {
      const [revision] = (await answers()).revisionsAnswer.parse(raw).archivedocumentrevisions;
      if (!revision) throw new Error('The answer holds no revision.');
      return revision;
    },
  });
}

/** Locks a revision for oneself, or takes the lock away. @throws {CallError} */
export async function sendLock(
  archive: string,
  revisionId: string,
  locked: boolean,
  ifMatch: string | null,
): Promise<RevisionRead> {
  const { data, etag } = await write(apiPaths.revision(archive, revisionId), {
    method: 'PATCH',
    body: { locked },
    ifMatch,
    parse: parseDetail,
  });
  return { revision: data, etag };
}

async function parseDetail(raw: unknown): Promise<RevisionDetail> {
  const [found] = (await answers()).revisionDetailAnswer.parse(raw).archivedocumentrevisions;
  if (!found) throw new Error('The answer holds no revision.');
  return found;
}
