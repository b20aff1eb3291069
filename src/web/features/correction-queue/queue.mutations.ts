import { mutationOptions } from '@tanstack/react-query';
import type { Flag, Queue } from '#shared/contract/workspace-answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import type { CallError } from '#web/api/failure.ts';
import { apiPaths } from '#web/api/paths.ts';
import { nothing, write } from '#web/api/request.ts';
import { createPendingProgress, type QueueProgress } from './pending-progress.ts';
import { flagsQuery, parseQueue, queuesQuery } from './queue.queries.ts';

/** Which revisions a new queue holds: all that match a list's query text, or these. */
export type QueueContent = { readonly name?: string } & (
  | { readonly filter: string }
  | { readonly revisionIds: readonly string[] }
);

/** Creates a queue; it holds what matches now, whatever changes later. */
export const createQueue = (archive: string) =>
  mutationOptions<Queue, CallError, QueueContent>({
    mutationFn: async (body) => {
      const { data } = await write(apiPaths.queues(archive), {
        method: 'POST',
        body,
        parse: parseQueue,
      });
      return data;
    },
    onSuccess: (_queue, _content, _result, { client }) => {
      void client.invalidateQueries({ queryKey: queuesQuery(archive).queryKey });
    },
  });

/**
 * Stores how far the clerk is in a queue, one call after the other. What happens while a call is under way, or could
 * not be stored, is sent with the next call: nothing is lost, and the last position is stored last.
 */
export const saveProgress = (archive: string, queueId: string) => {
  const pending = createPendingProgress();
  return mutationOptions<Queue | null, CallError, QueueProgress, void>({
    mutationKey: archiveKeys.queue(archive, queueId),
    scope: { id: `queue:${queueId}` },
    onMutate: (progress) => pending.add(progress),
    mutationFn: async () => {
      const progress = pending.take();
      if (!progress) return null;
      try {
        const { data } = await write(apiPaths.queue(archive, queueId), {
          method: 'PATCH',
          body: progress,
          parse: parseQueue,
        });
        return data;
      } catch (error) {
        pending.restore(progress);
        throw error;
      }
    },
    // The list of queues may have been read while the last call was under way.
    onSettled: (_queue, error, _progress, _result, { client }) => {
      if (!error) void client.invalidateQueries({ queryKey: queuesQuery(archive).queryKey });
    },
  });
};

interface FlagChange {
  readonly revisionId: string;
  /** null removes the flag */
  readonly note: string | null;
}

/** Flags a revision for later with a note, or removes its flag. The flags are shown so at once, and as before where that fails. */
export const setFlag = (archive: string) =>
  mutationOptions<void, CallError, FlagChange, readonly Flag[] | undefined>({
    scope: { id: `flags:${archive}` },
    mutationFn: async ({ revisionId, note }) => {
      const path = apiPaths.revisionFlag(archive, revisionId);
      if (note === null) await write(path, { method: 'DELETE', parse: nothing });
      else await write(path, { method: 'PUT', body: { note }, parse: nothing });
    },
    onMutate: async ({ revisionId, note }, { client }) => {
      const { queryKey } = flagsQuery(archive);
      // A read that is under way would bring the flags back as they were.
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      const others = before?.filter((flag) => flag.revisionId !== revisionId);
      const flag = note === null ? [] : [{ revisionId, note, at: new Date().toISOString() }];
      if (others) client.setQueryData(queryKey, [...others, ...flag]);
      return before;
    },
    onError: (_error, _change, before, { client }) => {
      if (before) client.setQueryData(flagsQuery(archive).queryKey, before);
    },
    onSettled: (_data, _error, _change, _result, { client }) => {
      void client.invalidateQueries({ queryKey: archiveKeys.flags(archive) });
    },
  });
