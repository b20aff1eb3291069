import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { archiveKeys } from '#web/api/archives.queries.ts';
import { throttle } from '#web/api/live/throttle.ts';
import { type News, onNews, startLive } from '#web/api/live/live.ts';
import type { ListPlace } from '#web/api/paths.ts';
import type { OwnSession } from '#web/api/session.queries.ts';
import { tableKeys } from '#web/api/tables.queries.ts';
import { listsAnyOf, invalidateLists } from '#web/features/archive-list/list.queries.ts';
import { invalidateRevision } from '#web/features/index-form/revision.queries.ts';

/** Keeps what is on the screen as others make it, for as long as somebody is signed in. */
export function useLiveChanges({ username, readAfter }: OwnSession): void {
  const client = useQueryClient();
  useEffect(() => {
    const follow = followNews(client);
    const leaveNews = onNews(follow.take);
    const end = startLive(username, readAfter);
    return () => {
      end();
      leaveNews();
      follow.stop();
    };
  }, [client, username, readAfter]);
}

/** Rows on the screen that others have changed, and all else that depends on any row; in milliseconds. */
const SHOWN = { wait: 0, rest: 1_000 };
const COUNTED = { wait: 700, rest: 2_000 };

/** Reads anew what news are about. The grid of a table hears them itself, as it holds what is being typed. */
function followNews(client: QueryClient) {
  const calm = new Map<string, ReturnType<typeof throttle>>();
  const calmFor = (key: string, make: () => ReturnType<typeof throttle>) => {
    let found = calm.get(key);
    if (!found) calm.set(key, (found = make()));
    return found;
  };
  const everything = throttle(() => invalidateAll(client), SHOWN);
  const overviews = throttle(() => invalidateOverviews(client), COUNTED);
  const countsOf = (place: ListPlace) =>
    calmFor(`counts ${place.kind} ${place.id}`, () =>
      throttle(() => invalidateCounts(client, place), COUNTED),
    );
  const listsOf = (archive: string, when: typeof SHOWN) =>
    calmFor(`lists ${when.rest} ${archive}`, () =>
      throttle(() => invalidateLists(client, archive), when),
    );

  const take = (news: News) => {
    if (news === null) return everything.ask();
    const archives = new Map<string, Set<string>>();
    for (const { place, id } of news) {
      countsOf(place).ask();
      if (place.kind === 'table') continue;
      const ids = archives.get(place.id) ?? new Set();
      archives.set(place.id, ids.add(id));
    }
    for (const [archive, ids] of archives) {
      for (const id of ids) void invalidateRevision(client, archive, id);
      const shown = listsAnyOf(client, archive, ids);
      // A revision that is not there may belong there now.
      listsOf(archive, shown ? SHOWN : COUNTED).ask();
    }
    overviews.ask();
  };
  const stop = () => {
    for (const one of [everything, overviews, ...calm.values()]) one.stop();
  };
  return { take, stop };
}

/** What of a table depends on rows that nobody sees; its rows are the grid's own. */
const COUNTS = new Set<unknown>([
  'definition',
  'view counts',
  'latest changes',
  'facts',
  'groups',
  'facts of',
]);

const invalidateOverviews = (client: QueryClient) =>
  client.invalidateQueries({
    predicate: ({ queryKey: [thing, one] }) =>
      (thing === archiveKeys.all[0] && typeof one === 'object') ||
      (thing === tableKeys.all[0] && one === 'list'),
  });

const invalidateCounts = (client: QueryClient, { kind, id }: ListPlace) =>
  client.invalidateQueries({
    queryKey: kind === 'archive' ? archiveKeys.one(id) : tableKeys.one(id),
    predicate: ({ queryKey }) => COUNTS.has(queryKey[2]),
  });

const invalidateAll = (client: QueryClient) =>
  Promise.all([
    invalidateOverviews(client),
    client.invalidateQueries({
      predicate: ({ queryKey: [thing, , what] }) =>
        (thing === archiveKeys.all[0] || thing === tableKeys.all[0]) &&
        (COUNTS.has(what) || what === 'index' || what === 'revision'),
    }),
  ]);
