import { QueryClient } from '@tanstack/react-query';
import { CallError, isTemporary } from './failure.ts';
import { retryDelay } from './retry-while-unavailable.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: CallError;
  }
}

/**
 * The cache of server data. Reads are retried while the server is unreachable (a banner shows it); writes retry
 * themselves (`write`), so mutations must not.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // An intranet works without the internet, so the browser's "offline" is ignored.
        networkMode: 'always',
        retry: (_tries, error) => error instanceof CallError && isTemporary(error.failure),
        retryDelay,
      },
      // No screen reads a mutation that has ended, and its variables can hold a whole form or a password.
      mutations: { networkMode: 'always', retry: false, gcTime: 0 },
    },
  });
}
