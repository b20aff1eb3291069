import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Flag, Queue, QueueRevision } from '#shared/contract/workspace-answers.ts';
import { answers, onlyItem } from '#web/api/load-answer-schemas.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { readData } from '#web/api/request.ts';

/** Revisions per page of a queue. */
export const QUEUE_PAGE = 1_000;

/** The user's queues of an archive, last used first. */
export const queuesQuery = (archive: string) =>
  queryOptions({
    queryKey: [...archiveKeys.queues(archive), 'list'],
    queryFn: ({ signal }) => readData(apiPaths.queues(archive), { signal, parse: parseQueues }),
  });

/** Whether a queue can be resumed: its end is not reached. */
export function isUnfinished({ position, total }: Queue): boolean {
  return position < total;
}

/** Whether a queue has progress to resume; a user who only looked at it can as well start again. */
export function hasProgress(queue: Queue): boolean {
  const { position, filter, counts } = queue;
  const { corrected, unchanged, skipped } = counts;
  const touched = position > 0 || filter === null || corrected + unchanged + skipped > 0;
  return touched && isUnfinished(queue);
}

/** The latest queue with progress that was created from the same list. */
export async function earlierQueue(
  client: QueryClient,
  archive: string,
  { queueId, filter }: Queue,
): Promise<Queue | undefined> {
  const queues = await client.query(queuesQuery(archive));
  return queues.find(
    (each) =>
      each.queueId !== queueId && each.filter === filter && filter !== null && hasProgress(each),
  );
}

/** A queue in its last state. Refetched with each opening, because another window may have continued it. */
export const queueQuery = (archive: string, queueId: string) =>
  queryOptions({
    queryKey: archiveKeys.queue(archive, queueId),
    queryFn: ({ signal }) =>
      readData(apiPaths.queue(archive, queueId), { signal, parse: parseQueue }),
    staleTime: 'static',
    gcTime: 0,
  });

/** Stores data about a queue that is newer than the last fetch; it lasts as long as the page. */
export function rememberQueue(
  client: QueryClient,
  archive: string,
  queueId: string,
  known: Partial<Pick<Queue, 'position' | 'field' | 'counts'>>,
): void {
  client.setQueryData(
    queueQuery(archive, queueId).queryKey,
    (read) => read && { ...read, ...known },
  );
  // The menu may be opened before the service is informed; the queue used last comes first.
  client.setQueryData(queuesQuery(archive).queryKey, (list) => {
    const left = list?.find((queue) => queue.queueId === queueId);
    if (!list || !left) return list;
    const usedAt = new Date().toISOString();
    return [{ ...left, ...known, usedAt }, ...list.filter((queue) => queue !== left)];
  });
}

/** A page of a thousand revisions of a queue, in its order; its content never changes. */
export const queuePageQuery = (archive: string, queueId: string, page: number) =>
  queryOptions({
    queryKey: [...archiveKeys.queue(archive, queueId), 'revisions', page],
    queryFn: async ({ signal }): Promise<readonly QueueRevision[]> => {
      const query = new URLSearchParams({
        offset: String(page * QUEUE_PAGE),
        limit: String(QUEUE_PAGE),
      });
      return readData(`${apiPaths.queueRevisions(archive, queueId)}?${query}`, {
        signal,
        parse: async (raw) => (await answers()).queueRevisionsAnswer.parse(raw).revisions,
      });
    },
    staleTime: 'static',
    gcTime: 0,
  });

/** The revisions of an archive that the user has flagged for later, oldest flag first. */
export const flagsQuery = (archive: string) =>
  queryOptions({
    queryKey: archiveKeys.flags(archive),
    queryFn: ({ signal }): Promise<readonly Flag[]> =>
      readData(apiPaths.flags(archive), {
        signal,
        parse: async (raw) => (await answers()).flagsAnswer.parse(raw).flags,
      }),
  });

async function parseQueues(raw: unknown): Promise<Queue[]> {
  return (await answers()).queuesAnswer.parse(raw).queues;
}

/** The queue of an answer that holds one. */
export async function parseQueue(raw: unknown): Promise<Queue> {
  return onlyItem(await parseQueues(raw));
}
