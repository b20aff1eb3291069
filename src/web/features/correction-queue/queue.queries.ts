import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Flag, Queue, QueueRevision } from '#shared/contract/workspace-answers.ts';
import { answers } from '#web/api/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { apiPaths } from '#web/api/paths.ts';
import { read } from '#web/api/request.ts';

/** Revisions of a queue that are read at a time. */
export const QUEUE_PAGE = 1_000;

/** The user's queues of an archive, last used first. */
export const queuesQuery = (archive: string) =>
  queryOptions({
    queryKey: [...archiveKeys.queues(archive), 'list'],
    queryFn: async ({ signal }) => {
      const { data } = await read(apiPaths.queues(archive), { signal, parse: parseQueues });
      return data;
    },
  });

/** Whether a queue can be resumed: its end is not reached. */
export function isUnfinished({ position, total }: Queue): boolean {
  return position < total;
}

/** Whether there is something to go on with; who only looked at what a list holds can begin it anew. */
export function isUnderWay(queue: Queue): boolean {
  const { position, filter, counts } = queue;
  const { corrected, unchanged, skipped } = counts;
  const touched = position > 0 || filter === null || corrected + unchanged + skipped > 0;
  return touched && isUnfinished(queue);
}

/** The queue that was begun last of what the same list matched, where it is under way. */
export async function earlierQueue(
  client: QueryClient,
  archive: string,
  { queueId, filter }: Queue,
): Promise<Queue | undefined> {
  const queues = await client.query(queuesQuery(archive));
  return queues.find(
    (each) =>
      each.queueId !== queueId && each.filter === filter && filter !== null && isUnderWay(each),
  );
}

/** A queue as it was left. It is read anew with each opening: another window may have gone on. */
export const queueQuery = (archive: string, queueId: string) =>
  queryOptions({
    queryKey: archiveKeys.queue(archive, queueId),
    queryFn: async ({ signal }) => {
      const { data } = await read(apiPaths.queue(archive, queueId), { signal, parse: parseQueue });
      return data;
    },
    staleTime: 'static',
    gcTime: 0,
  });

/** Writes what is known better than by the last read of a queue; it goes with the page that shows it. */
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
  // The menu may be opened before the service has been told; the queue used last comes first.
  client.setQueryData(queuesQuery(archive).queryKey, (list) => {
    const left = list?.find((queue) => queue.queueId === queueId);
    if (!list || !left) return list;
    const usedAt = new Date().toISOString();
    return [{ ...left, ...known, usedAt }, ...list.filter((queue) => queue !== left)];
  });
}

/** A thousand revisions of a queue, in its order; which they are never changes. */
export const queuePageQuery = (archive: string, queueId: string, page: number) =>
  queryOptions({
    queryKey: [...archiveKeys.queue(archive, queueId), 'revisions', page],
    queryFn: async ({ signal }): Promise<readonly QueueRevision[]> => {
      const query = new URLSearchParams({
        offset: String(page * QUEUE_PAGE),
        limit: String(QUEUE_PAGE),
      });
      const { data } = await read(`${apiPaths.queueRevisions(archive, queueId)}?${query}`, {
        signal,
        parse: async (raw) => (await answers()).queueRevisionsAnswer.parse(raw).revisions,
      });
      return data;
    },
    staleTime: 'static',
    gcTime: 0,
  });

/** What the user has put aside for later in an archive, the oldest flag first. */
export const flagsQuery = (archive: string) =>
  queryOptions({
    queryKey: archiveKeys.flags(archive),
    queryFn: async ({ signal }): Promise<readonly Flag[]> => {
      const { data } = await read(apiPaths.flags(archive), {
        signal,
        parse: async (raw) => (await answers()).flagsAnswer.parse(raw).flags,
      });
      return data;
    },
  });

async function parseQueues(raw: unknown): Promise<Queue[]> {
  return (await answers()).queuesAnswer.parse(raw).queues;
}

/** The queue of an answer that holds one. */
export async function parseQueue(raw: unknown): Promise<Queue> {
  const [queue] = await parseQueues(raw);
  if (!queue) throw new Error('The answer holds no queue.');
  return queue;
}
