import { queryOptions } from '@tanstack/react-query';
import { administrationAnswers } from '#web/api/load-answer-schemas.ts';
import { accountPaths } from '#web/api/account-paths.ts';
import { readData } from '#web/api/request.ts';

export const accountKeys = {
  factors: ['own-factors'],
  sessions: ['own-sessions'],
  tokens: ['own-tokens'],
} as const;

/** The second factors of the user. */
export const factorsQuery = (username: string) =>
  queryOptions({
    queryKey: accountKeys.factors,
    queryFn: ({ signal }) =>
      readData(accountPaths.factors(username), {
        signal,
        parse: async (raw) => (await administrationAnswers()).factorsAnswer.parse(raw),
      }),
  });

/** The sessions of the user on all devices. */
export const ownSessionsQuery = queryOptions({
  queryKey: accountKeys.sessions,
  queryFn: ({ signal }) =>
    readData(accountPaths.ownSessions(), {
      signal,
      parse: async (raw) => (await administrationAnswers()).openSessionsAnswer.parse(raw).sessions,
    }),
});

/** The named tokens of the user, newest first. */
export const ownTokensQuery = (username: string) =>
  queryOptions({
    queryKey: accountKeys.tokens,
    queryFn: ({ signal }) =>
      readData(accountPaths.tokens(username), {
        signal,
        parse: async (raw) => (await administrationAnswers()).accessTokensAnswer.parse(raw).tokens,
      }),
  });
