import { at } from './api-paths.ts';

/**
 * The addresses of the calls about the user's own account. They are separate from `apiPaths`, which the first load of
 * every page contains.
 */
export const accountPaths = {
  challenges: () => at('sessions', 'challenges'),
  confirmations: () => at('sessions', 'confirmations'),
  ownSessions: () => at('sessions', 'all'),
  session: (sessionId: string) => at('sessions', sessionId),
  factors: (username: string) => at('users', username, 'factors'),
  tokens: (username: string) => at('users', username, 'tokens'),
  token: (username: string, tokenId: string) => at('users', username, 'tokens', tokenId),
  passwordChecks: (username: string) => at('users', username, 'password', 'checks'),
  factor: (username: string, factorId: string) => at('users', username, 'factors', factorId),
};
