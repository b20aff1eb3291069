import type { QueryClient } from '@tanstack/react-query';
import type { Queue } from '#shared/desk.ts';
import { QUEUE_PAGE, queuePageQuery } from './queue.queries.ts';

/** The revisions of a queue that were skipped, in its order, as the service knows them. */
export async function skippedOf(
  client: QueryClient,
  archive: string,
  { queueId, total }: Queue,
): Promise<string[]> {
  const skipped: string[] = [];
  for (let page = 0; page * QUEUE_PAGE < total; page++) {
    const revisions = await client.query({
      ...queuePageQuery(archive, queueId, page),
      staleTime: 0,
    });
    for (const { revisionId, state } of revisions) {
      if (state === 'skipped') skipped.push(revisionId);
    }
  }
  return skipped;
}
