import { applicationPath } from './api-paths.ts';

/**
 * The addresses of the calls about the user's own account. They are separate from `apiPaths`, which the first load of
 * every page contains.
 */
export const accountPaths = {
  challenges: () => applicationPath('sessions', 'challenges'),
  confirmations: () => applicationPath('sessions', 'confirmations'),
  ownSessions: () => applicationPath('sessions', 'all'),
  session: (sessionId: string) => applicationPath('sessions', sessionId),
  factors: (username: string) => applicationPath('users', username, 'factors'),
  tokens: (username: string) => applicationPath('users', username, 'tokens'),
  token: (username: string, tokenId: string) =>
    applicationPath('users', username, 'tokens', tokenId),
  passwordChecks: (username: string) => applicationPath('users', username, 'password', 'checks'),
  factor: (username: string, factorId: string) =>
    applicationPath('users', username, 'factors', factorId),
};
