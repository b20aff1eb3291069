import { queryOptions } from '@tanstack/react-query';
import type { Viewer } from '#shared/contract/workspace-answers.ts';
import { answers } from '#web/api/load-answer-schemas.ts';
import { pause } from '#web/api/create-store.ts';
import { liveState } from '#web/api/live/live.ts';
import { apiPaths, type CollectionRef } from '#web/api/api-paths.ts';
import { newIdempotencyKey, ignoreBody, request } from '#web/api/request.ts';
import { createWorkQueue } from '#web/api/work-queue.ts';

/** Milliseconds before a record counts as open: stepping over it does not. */
const FIRST_AFTER = 300;
/** Interval at which presence is reported, in milliseconds: the service removes a presence after 40 seconds. */
const REPEAT_AFTER = 15_000;
/** The same while events report changes of presence. */
const REPEAT_WHILE_LIVE = 30_000;

/** One opening of a record by this tab. */
type Presence = ReturnType<typeof openPresence>;

/** An opening of a record; two tabs, or a form that is closed and opened again, are two. */
export function openPresence(collection: CollectionRef, record: string) {
  const id = newIdempotencyKey();
  const path = apiPaths.viewers(collection, record, id);
  let isAnnounced = false;
  // The calls run one after the other, so that `end` is the last one that the service receives.
  const runInOrder = createWorkQueue();
  return {
    id,
    isAnnounced: () => isAnnounced,
    /** Announces it, or renews it. @returns who else has the record open @throws {CallError} */
    announce: async (editing: boolean, signal: AbortSignal): Promise<readonly Viewer[]> => {
      if (!isAnnounced) await pause(FIRST_AFTER, signal);
      isAnnounced = true;
      return runInOrder(async () => {
        // The user learns about the end of the session at the next action. The call is not aborted: `end` follows it.
        const { data } = await request(path, {
          method: 'PUT',
          body: { editing },
          gate: false,
          parse: async (raw) => (await answers()).viewersAnswer.parse(raw).viewers,
        });
        return data;
      });
    },
    /**
     * Ends it. If the service does not receive this, the presence expires.
     * @param isClosing the page is being closed: it does not wait for a call in progress
     */
    end: async (isClosing = false): Promise<void> => {
      if (!isAnnounced) return;
      isAnnounced = false;
      const send = () =>
        request(path, { method: 'DELETE', keepalive: true, gate: false, parse: ignoreBody });
      await (isClosing ? send() : runInOrder(send)).catch(() => undefined);
    },
  };
}

/** Who else has a record open. Each read renews this tab's presence, so it is repeated while the tab is visible. */
export const presenceQuery = (presence: Presence, editing: boolean) =>
  queryOptions({
    queryKey: ['presence', presence.id, { editing }],
    queryFn: ({ signal }) => presence.announce(editing, signal),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: 'always',
  });

/** Milliseconds after which a presence is announced again. */
export const repeatAfter = () => (liveState.get() === 'open' ? REPEAT_WHILE_LIVE : REPEAT_AFTER);
