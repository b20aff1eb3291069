import { type QueryClient, queryOptions } from '@tanstack/react-query';
import type { Flag, Queue, QueueRevision } from '#shared/contract/workspace-answers.ts';
import { answers } from '#web/api/answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { apiPaths } from '#web/api/paths.ts';
import { nothing, read, write } from '#web/api/request.ts';

const keys = {
  queues: (archive: string) => [...archiveKeys.one(archive), 'queues'] as const,
  flags: (archive: string) => [...archiveKeys.one(archive), 'flags'] as const,
};

/** Revisions of a queue that are read at a time. */
export const QUEUE_PAGE = 1_000;

/** The user's queues of an archive, last used first. */
export const queuesQuery = (archive: string) =>
  queryOptions({
    queryKey: [...keys.queues(archive), 'list'],
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
  const queues = await client.fetchQuery(queuesQuery(archive));
  return queues.find(
    (each) =>
      each.queueId !== queueId && each.filter === filter && filter !== null && isUnderWay(each),
  );
}

/** A queue as it was left. It is read anew with each opening: another window may have gone on. */
export const queueQuery = (archive: string, queueId: string) =>
  queryOptions({
    queryKey: [...keys.queues(archive), queueId],
    queryFn: async ({ signal }) => {
      const { data } = await read(apiPaths.queue(archive, queueId), { signal, parse: oneQueue });
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
    queryKey: [...keys.queues(archive), queueId, 'revisions', page],
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
    queryKey: keys.flags(archive),
    queryFn: async ({ signal }): Promise<readonly Flag[]> => {
      const { data } = await read(apiPaths.flags(archive), {
        signal,
        parse: async (raw) => (await answers()).flagsAnswer.parse(raw).flags,
      });
      return data;
    },
  });

/** Which revisions a new queue holds: all that match a list's query text, or these. */
export type QueueContent = { readonly name?: string } & (
  | { readonly filter: string }
  | { readonly revisionIds: readonly string[] }
);

/** Makes a queue; it holds what matches now, whatever changes later. @throws {CallError} */
export async function createQueue(
  client: QueryClient,
  archive: string,
  content: QueueContent,
): Promise<Queue> {
  const { data } = await write(apiPaths.queues(archive), {
    method: 'POST',
    body: content,
    parse: oneQueue,
  });
  void client.invalidateQueries({ queryKey: [...keys.queues(archive), 'list'] });
  return data;
}

/** What has happened in a queue since it was last told to the service. */
export interface QueueNews {
  readonly position: number;
  readonly field: string | null;
  readonly states: readonly {
    readonly revisionId: string;
    readonly state: 'open' | 'corrected' | 'unchanged' | 'skipped';
  }[];
}

/** Tells the service how far one is. @throws {CallError} */
export async function tellQueue(archive: string, queueId: string, news: QueueNews): Promise<Queue> {
  const { data } = await write(apiPaths.queue(archive, queueId), {
    method: 'PATCH',
    body: news,
    parse: oneQueue,
  });
  return data;
}

/** Puts a revision aside for later with a note, or takes that back (null). @throws {CallError} */
export async function setFlag(
  client: QueryClient,
  archive: string,
  revisionId: string,
  note: string | null,
): Promise<void> {
  const path = apiPaths.revisionFlag(archive, revisionId);
  if (note === null) await write(path, { method: 'DELETE', parse: nothing });
  else await write(path, { method: 'PUT', body: { note }, parse: nothing });
  await client.invalidateQueries({ queryKey: keys.flags(archive) });
}

async function parseQueues(raw: unknown): Promise<Queue[]> {
  return (await answers()).queuesAnswer.parse(raw).queues;
}

async function oneQueue(raw: unknown): Promise<Queue> {
  const [queue] = await parseQueues(raw);
  if (!queue) throw new Error('The answer holds no queue.');
  return queue;
}
