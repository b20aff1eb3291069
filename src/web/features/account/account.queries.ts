import { queryOptions } from '@tanstack/react-query';
import { administrationAnswers } from '#web/api/load-answer-schemas.ts';
import { accountPaths } from '#web/api/account-paths.ts';
import { read } from '#web/api/request.ts';

export const accountKeys = {
  factors: ['own-factors'],
  sessions: ['own-sessions'],
  tokens: ['own-tokens'],
} as const;

/** The second factors of the user. */
export const factorsQuery = (username: string) =>
  queryOptions({
    queryKey: accountKeys.factors,
    queryFn: async ({ signal }) => {
      const { data } = await read(accountPaths.factors(username), {
        signal,
        parse: async (raw) => (await administrationAnswers()).factorsAnswer.parse(raw),
      });
      return data;
    },
  });

/** The sessions of the user on all devices. */
export const ownSessionsQuery = queryOptions({
  queryKey: accountKeys.sessions,
  queryFn: async ({ signal }) => {
    const { data } = await read(accountPaths.ownSessions(), {
      signal,
      parse: async (raw) => (await administrationAnswers()).openSessionsAnswer.parse(raw).sessions,
    });
    return data;
  },
});

/** The named tokens of the user, newest first. */
export const ownTokensQuery = (username: string) =>
  queryOptions({
    queryKey: accountKeys.tokens,
    queryFn: async ({ signal }) => {
      const { data } = await read(accountPaths.tokens(username), {
        signal,
        parse: async (raw) => (await administrationAnswers()).accessTokensAnswer.parse(raw).tokens,
      });
      return data;
    },
  });
