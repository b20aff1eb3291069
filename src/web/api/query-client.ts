import { QueryClient } from '@tanstack/react-query';
import { CallError, isPassing } from './failure.ts';
import { retryDelay } from './request.ts';

declare module '@tanstack/react-query' {
  interface Register {
    defaultError: CallError;
  }
}

/**
 * The cache of what the server knows. Reads are tried again for as long as the server is away (the
 * banner says so); writes repeat themselves (`write`), so mutations must not.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 15_000,
        // A company's own network needs no internet, so the browser's "offline" says nothing.
        networkMode: 'always',
        retry: (_tries, error) => error instanceof CallError && isPassing(error.failure),
        retryDelay,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}
