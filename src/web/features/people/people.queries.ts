import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { administrationAnswers, onlyItem } from '#web/api/load-answer-schemas.ts';
import { administrationPaths } from '#web/api/administration-paths.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { read, readData } from '#web/api/request.ts';

const PAGE = 200;

/** Keys of everything read about users, groups and sessions. */
export const peopleKeys = {
  all: ['people'] as const,
  users: ['people', 'users'] as const,
  user: (username: string) => ['people', 'users', 'one', username] as const,
  groups: ['people', 'groups'] as const,
  sessions: ['people', 'sessions'] as const,
  locks: ['people', 'locks'] as const,
};

/** The users whose names or addresses contain all words of `q`, page by page. */
export const usersQuery = (q: string) =>
  infiniteQueryOptions({
    queryKey: [...peopleKeys.users, 'list', q],
    initialPageParam: '',
    queryFn: ({ signal, pageParam }) =>
      readData(apiPaths.configuredUsers({ q, after: pageParam, limit: PAGE }), {
        signal,
        parse: async (raw) => (await administrationAnswers()).configuredUsersAnswer.parse(raw),
      }),
    getNextPageParam: ({ meta }) => meta.pagination.next,
  });

/** One user with the ETag that a change needs. */
export const userQuery = (username: string) =>
  queryOptions({
    queryKey: peopleKeys.user(username),
    queryFn: ({ signal }) => readUser(username, signal),
  });

/** The account at the provider with which a user signs in, or those that could be linked. */
export const identityQuery = (username: string) =>
  queryOptions({
    queryKey: [...peopleKeys.user(username), 'identity'],
    queryFn: ({ signal }) =>
      readData(administrationPaths.userIdentity(username), {
        signal,
        parse: async (raw) =>
          (await administrationAnswers()).identitiesAnswer.parse(raw).identities,
      }),
  });

/** @throws {CallError} */
export async function readUser(username: string, signal?: AbortSignal) {
  const { data: user, etag } = await read(apiPaths.configuredUser(username), {
    signal,
    parse: async (raw) =>
      onlyItem((await administrationAnswers()).configuredUserAnswer.parse(raw).users),
  });
  return { user, etag };
}

/** A user's access to each archive and table, and its reasons. */
export const accessQuery = (username: string) =>
  queryOptions({
    queryKey: [...peopleKeys.user(username), 'access'],
    queryFn: ({ signal }) =>
      readData(administrationPaths.accessOfUser(username), {
        signal,
        parse: async (raw) => (await administrationAnswers()).accessAnswer.parse(raw).access,
      }),
  });

export const groupsQuery = queryOptions({
  queryKey: [...peopleKeys.groups, 'list'],
  queryFn: ({ signal }) =>
    readData(administrationPaths.groups(), {
      signal,
      parse: async (raw) => (await administrationAnswers()).groupsAnswer.parse(raw).groups,
    }),
});

/** One group with the ETag that a change needs. */
export const groupQuery = (name: string) =>
  queryOptions({
    queryKey: [...peopleKeys.groups, 'one', name],
    queryFn: ({ signal }) => readGroup(name, signal),
  });

/** @throws {CallError} */
export async function readGroup(name: string, signal?: AbortSignal) {
  const { data: group, etag } = await read(administrationPaths.group(name), {
    signal,
    parse: async (raw) => onlyItem((await administrationAnswers()).groupsAnswer.parse(raw).groups),
  });
  return { group, etag };
}

/** The active sessions; refetched every half minute. */
export const sessionsQuery = queryOptions({
  queryKey: peopleKeys.sessions,
  queryFn: ({ signal }) =>
    readData(administrationPaths.openSessions(), {
      signal,
      parse: async (raw) => (await administrationAnswers()).openSessionsAnswer.parse(raw).sessions,
    }),
  refetchInterval: 30_000,
});

/** The locks of revisions; refetched every half minute. */
export const locksQuery = queryOptions({
  queryKey: peopleKeys.locks,
  queryFn: ({ signal }) =>
    readData(administrationPaths.locks(), {
      signal,
      parse: async (raw) => (await administrationAnswers()).locksAnswer.parse(raw).locks,
    }),
  refetchInterval: 30_000,
});
