import { mutationOptions, type QueryClient } from '@tanstack/react-query';
import type { Flag, Queue } from '#shared/contract/workspace-answers.ts';
import { archiveKeys } from '#web/api/archives.queries.ts';
import type { CallError } from '#web/api/failure.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { ignoreBody, write, writeData } from '#web/api/request.ts';
import { flagsQuery, parseQueue, queuesQuery } from './queue.queries.ts';

/** The revisions of a new queue: all matches of a list's query, or given ones. */
export type QueueContent = {
  readonly name?: string;
  /** the path of the field that has the focus first */
  readonly field?: string | undefined;
} & ({ readonly filter: string } | { readonly revisionIds: readonly string[] });

/** Creates a queue; it contains the present matches, whatever changes later. */
export const createQueue = (archive: string) =>
  mutationOptions<Queue, CallError, QueueContent>({
    mutationFn: (body) =>
      writeData(apiPaths.queues(archive), {
        method: 'POST',
        body,
        parse: parseQueue,
      }),
    onSuccess: (_queue, _content, _result, { client }) => {
      void client.invalidateQueries({ queryKey: queuesQuery(archive).queryKey });
    },
  });

/** The progress of a queue, as stored by the service. */
export interface QueueProgress {
  readonly position: number;
  readonly field: string | null;
  readonly states: readonly {
    readonly revisionId: string;
    readonly state: 'open' | 'corrected' | 'unchanged' | 'skipped';
  }[];
}

/** Progress and what followed it, as one. */
function merge(before: QueueProgress, after: QueueProgress): QueueProgress {
  const states = [...before.states, ...after.states];
  return { ...after, states: [...new Map(states.map((one) => [one.revisionId, one])).values()] };
}

/**
 * Stores the user's progress in a queue, one call after the other. Progress made during a call, or that could not be
 * stored, is sent with the next call: nothing is lost, and the last position is stored last.
 */
export const saveProgress = (archive: string, queueId: string) => {
  /** not stored yet, the latest last */
  const pending: QueueProgress[] = [];
  return mutationOptions<Queue | null, CallError, QueueProgress, void>({
    scope: { id: `queue:${queueId}` },
    onMutate: (progress) => {
      pending.push(progress);
    },
    mutationFn: async () => {
      if (pending.length === 0) return null;
      const progress = pending.splice(0).reduce(merge);
      try {
        return await writeData(apiPaths.queue(archive, queueId), {
          method: 'PATCH',
          body: progress,
          parse: parseQueue,
        });
      } catch (error) {
        pending.unshift(progress);
        throw error;
      }
    },
    // The list of queues may have been fetched during the last call.
    onSettled: (_queue, error, _progress, _result, { client }) => {
      if (!error) void client.invalidateQueries({ queryKey: queuesQuery(archive).queryKey });
    },
  });
};

interface FlagChange {
  readonly revisionId: string;
  /** null removes the flag */
  readonly note: string | null;
  /** whether the stored note, which the user has not seen, stays before it */
  readonly appends: boolean;
}

/**
 * Flags a revision for later with a note, or removes its flag, as an optimistic update that is rolled back on failure.
 */
export const setFlag = (archive: string) =>
  mutationOptions<void, CallError, FlagChange, readonly Flag[] | undefined>({
    scope: { id: `flags:${archive}` },
    mutationFn: async ({ revisionId, note: typed, appends }, { client }) => {
      const note =
        typed !== null && appends
          ? joinNotes(await storedNote(client, archive, revisionId), typed)
          : typed;
      const path = apiPaths.revisionFlag(archive, revisionId);
      if (note === null) await write(path, { method: 'DELETE', parse: ignoreBody });
      else await write(path, { method: 'PUT', body: { note }, parse: ignoreBody });
    },
    onMutate: async ({ revisionId, note, appends }, { client }) => {
      const { queryKey } = flagsQuery(archive);
      // A fetch in progress would restore the previous flags.
      await client.cancelQueries({ queryKey });
      const before = client.getQueryData(queryKey);
      const others = before?.filter((flag) => flag.revisionId !== revisionId);
      const flag = note === null ? [] : [{ revisionId, note, at: new Date().toISOString() }];
      if (others && !appends) client.setQueryData(queryKey, [...others, ...flag]);
      return before;
    },
    onError: (_error, _change, before, { client }) => {
      if (before) client.setQueryData(flagsQuery(archive).queryKey, before);
    },
    onSettled: (_data, _error, _change, _result, { client }) => {
      void client.invalidateQueries({ queryKey: archiveKeys.flags(archive) });
    },
  });

/** The text of a note, followed by the text that was typed before the note was loaded. */
export function joinNotes(stored: string, typed: string): string {
  return [stored, typed].filter((part) => part !== '').join('\n');
}

async function storedNote(
  client: QueryClient,
  archive: string,
  revisionId: string,
): Promise<string> {
  const flags = await client.query({ ...flagsQuery(archive), staleTime: 0 });
  return flags.find((flag) => flag.revisionId === revisionId)?.note ?? '';
}
