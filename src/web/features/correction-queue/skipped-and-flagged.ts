import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Flag, Queue, QueueRevision } from '#shared/contract/workspace-answers.ts';
import { flagsQuery, QUEUE_PAGE, queuePageQuery } from './queue.queries.ts';

/** The skipped revisions of a queue, in its order, according to the service. @throws {CallError} */
export function skippedOf(client: QueryClient, archive: string, queue: Queue): Promise<string[]> {
  return revisionsWhere(client, archive, queue, ({ state }) => state === 'skipped');
}

/** The revisions of a queue that are flagged and still exist, in its order. */
export function flaggedInQuery(archive: string, queue: Queue, flags: readonly Flag[]) {
  const ids = flags.map(({ revisionId }) => revisionId);
  return queryOptions({
    queryKey: [...flagsQuery(archive).queryKey, 'in', queue.queueId, ids],
    queryFn: ({ client }) => {
      const flagged = new Set(ids);
      const wanted = ({ revisionId, state }: QueueRevision) =>
        state !== 'gone' && flagged.has(revisionId);
      return revisionsWhere(client, archive, queue, wanted);
    },
    enabled: ids.length > 0,
    gcTime: 0,
  });
}

async function revisionsWhere(
  client: QueryClient,
  archive: string,
  { queueId, total }: Queue,
  wanted: (revision: QueueRevision) => boolean,
): Promise<string[]> {
  const found: string[] = [];
  for (let page = 0; page * QUEUE_PAGE < total; page++) {
    const revisions = await client.query({
      ...queuePageQuery(archive, queueId, page),
      staleTime: 0,
    });
    for (const revision of revisions) if (wanted(revision)) found.push(revision.revisionId);
  }
  return found;
}
