import { type QueryClient, queryOptions, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Person } from '#shared/contract/answers.ts';
import { answers } from './load-answer-schemas.ts';
import { apiPaths } from './api-paths.ts';
import { readData } from './request.ts';

/** Returns the display name of a username; the username itself if no other name is known. */
export type NameOf = (username: string) => string;

/** The display names of people, by username. */
export const peopleQuery = queryOptions({
  queryKey: ['people', 'names'],
  queryFn: ({ signal }) =>
    readData(apiPaths.people(), {
      signal,
      parse: async (raw) => uniqueNames((await answers()).peopleAnswer.parse(raw).users),
    }),
  staleTime: 300_000,
  gcTime: Number.POSITIVE_INFINITY,
});

/** For components: the display names, rendered again when they are loaded. */
export function useNameOf(): NameOf {
  const { data } = useQuery(peopleQuery);
  return useCallback((username) => data?.get(username) ?? username, [data]);
}

/** For messages that are composed outside of components; the frame has prefetched the names. */
export function nameOfIn(client: QueryClient): NameOf {
  return (username) => client.getQueryData(peopleQuery.queryKey)?.get(username) ?? username;
}

/** Display names; if several people have the same one, each is followed by the username. */
function uniqueNames(people: readonly Person[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const { displayName } of people) {
    counts.set(displayName, (counts.get(displayName) ?? 0) + 1);
  }
  return new Map(
    people.map(({ username, displayName }) => [
      username,
      counts.get(displayName) === 1 ? displayName : `${displayName} (${username})`,
    ]),
  );
}
