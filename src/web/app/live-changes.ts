import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { collectionKey } from '#web/api/collection-key.ts';
import { invalidateChecks } from '#web/api/checks.queries.ts';
import { throttle } from '#web/api/live/throttle.ts';
import { type ReportedChanges, onChanges, onOwnWrite, startLive } from '#web/api/live/live.ts';
import type { CollectionRef } from '#web/api/api-paths.ts';
import type { OwnSession } from '#web/api/session.queries.ts';
import { tableKeys } from '#web/api/tables.queries.ts';
import { listsAnyOf, invalidateLists } from '#web/features/archive-list/list.queries.ts';
import { invalidateRevision } from '#web/api/revisions.queries.ts';

/** Invalidates what others change, for as long as the user is signed in. */
export function useLiveChanges({ username, readAfter }: OwnSession): void {
  const client = useQueryClient();
  useEffect(() => {
    const invalidation = createInvalidation(client);
    const unsubscribe = onChanges(invalidation.apply);
    const unsubscribeOwn = onOwnWrite(invalidation.applyOwn);
    const disconnect = startLive(username, readAfter);
    return () => {
      disconnect();
      unsubscribe();
      unsubscribeOwn();
      invalidation.stop();
    };
  }, [client, username, readAfter]);
}

/** Throttling of what is on the screen, and of everything else that depends on any row; in milliseconds. */
const VISIBLE = { wait: 0, rest: 1_000 };
const HIDDEN = { wait: 700, rest: 2_000 };

/**
 * The service counts the effect of a change on findings within this time (docs/interface/checks.md, section 3), in
 * milliseconds.
 */
const FINDINGS_DELAY = 2_200;

type Throttle = ReturnType<typeof throttle>;

/** Invalidates the queries that changes affect. The grid of a table does so itself, as it has the pending edits. */
function createInvalidation(client: QueryClient) {
  const throttles = new Map<string, Throttle>();
  const timers = new Map<string, ReturnType<typeof setTimeout>>();
  const throttleOf = (key: string, create: () => Throttle) => {
    let found = throttles.get(key);
    if (!found) throttles.set(key, (found = create()));
    return found;
  };
  const everything = throttle(() => invalidateAll(client), VISIBLE);
  const overviews = throttle(() => invalidateOverviews(client), HIDDEN);
  const countsOf = (collection: CollectionRef) =>
    throttleOf(`counts ${collection.kind} ${collection.id}`, () =>
      throttle(() => invalidateCounts(client, collection), HIDDEN),
    );
  const listsOf = (archive: string, limits: typeof VISIBLE) =>
    throttleOf(`lists ${limits.rest} ${archive}`, () =>
      throttle(() => invalidateLists(client, archive), limits),
    );

  /** Refetches the counts of findings soon, and again when the change is certainly counted. */
  const checksOf = (collection: CollectionRef) => {
    const key = `checks ${collection.kind} ${collection.id}`;
    const { request } = throttleOf(key, () =>
      throttle(() => invalidateChecks(client, collection), HIDDEN),
    );
    request();
    clearTimeout(timers.get(key));
    timers.set(key, setTimeout(request, FINDINGS_DELAY));
  };

  const apply = (changes: ReportedChanges) => {
    if (changes === null) return everything.request();
    const archives = new Map<string, Set<string>>();
    for (const { collection, id } of changes) {
      countsOf(collection).request();
      checksOf(collection);
      if (collection.kind === 'table') continue;
      const ids = archives.get(collection.id) ?? new Set();
      archives.set(collection.id, ids.add(id));
    }
    for (const [archive, ids] of archives) {
      for (const id of ids) void invalidateRevision(client, archive, id);
      const isVisible = listsAnyOf(client, archive, ids);
      // A revision that is not in the list may match it now.
      listsOf(archive, isVisible ? VISIBLE : HIDDEN).request();
    }
    overviews.request();
  };
  const stop = () => {
    for (const throttled of [everything, overviews, ...throttles.values()]) throttled.stop();
    for (const timer of timers.values()) clearTimeout(timer);
  };
  return { apply, applyOwn: checksOf, stop };
}

/** The queries of a collection that depend on all its rows. The rows of a table are the grid's own. */
const COUNTS = new Set<unknown>([
  'definition',
  'view counts',
  'latest changes',
  'facts',
  'groups',
  'facts of',
  'duplicates',
  'compared',
]);

/** The queries of a collection that may be affected by changes without events, such as the query of its definition. */
const CHANGED_UNSEEN = new Set([
  ...COUNTS,
  'views',
  'index',
  'revision',
  'checks',
  'check definitions',
]);

const invalidateOverviews = (client: QueryClient) =>
  client.invalidateQueries({
    predicate: ({ queryKey: [kind, one] }) =>
      (kind === archiveKeys.all[0] && typeof one === 'object') ||
      (kind === tableKeys.all[0] && one === 'list'),
  });

const invalidateCounts = (client: QueryClient, collection: CollectionRef) =>
  client.invalidateQueries({
    queryKey: collectionKey(collection),
    predicate: ({ queryKey }) => COUNTS.has(queryKey[2]),
  });

const invalidateAll = (client: QueryClient) =>
  Promise.all([
    invalidateOverviews(client),
    client.invalidateQueries({
      predicate: ({ queryKey: [kind, , what] }) =>
        (kind === archiveKeys.all[0] || kind === tableKeys.all[0]) && CHANGED_UNSEEN.has(what),
    }),
  ]);
