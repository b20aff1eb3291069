import { queryOptions } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { Session } from '#shared/contract/answers.ts';
import { CallError } from './failure.ts';
import { apiPaths } from './api-paths.ts';
import { firstSession, isUnauthenticated, request } from './request.ts';
import { sessionGate } from './session-gate.ts';

/** The session of this page's user. */
export interface OwnSession extends Session {
  /** the position of the newest event that everything read in this session includes; later changes come as events */
  readonly readAfter: string | null;
}

/** The session of the user; null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<OwnSession | null> => {
    try {
      const { data, lastEventId } = await request(apiPaths.sessions(), {
        method: 'GET',
        gate: false,
        signal,
        parse: firstSession,
      });
      sessionGate.signedInAs(data);
      return { ...data, readAfter: lastEventId };
    } catch (error) {
      if (error instanceof CallError && isUnauthenticated(error.failure)) return null;
      throw error;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

const SignedIn = createContext<Session | null>(null);

/** Provides the session to everything that a signed-in user sees. */
export const SessionProvider = SignedIn.Provider;

/** The signed-in user's session, within the frame. */
export function useSession(): Session {
  const session = use(SignedIn);
  if (!session) throw new Error('useSession is for components within SessionProvider.');
  return session;
}
