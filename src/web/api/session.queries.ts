import { queryOptions } from '@tanstack/react-query';
import { createContext, use } from 'react';
import { seenAsCannotChange } from '#messages/common.ts';
import type { Session } from '#shared/contract/answers.ts';
import { readSession } from './request.ts';
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
    const answer = await readSession(signal);
    if (!answer) return null;
    sessionGate.signedInAs(answer.data);
    return { ...answer.data, readAfter: answer.lastEventId };
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

/** Interval at which the session is read while a page shows the dialog to sign in again, in milliseconds. */
const CHECK_EVERY = 3_000;

/** The session of the browser's cookie, which another tab may have replaced; null if nobody is signed in. */
export const browserSessionQuery = queryOptions({
  queryKey: ['browserSession'],
  queryFn: async ({ signal }) => (await readSession(signal))?.data ?? null,
  refetchInterval: CHECK_EVERY,
  refetchOnWindowFocus: 'always',
  staleTime: 0,
  gcTime: 0,
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

/** Whether an administrator sees as this user: the service refuses every write. */
export function useIsSeenAs(): boolean {
  return use(SignedIn)?.seenBy !== undefined;
}

interface WriteBlock {
  readonly disabled?: true;
  /** the reason */
  readonly title?: string;
}

/** The properties that disable a control which writes, such as the item of a menu; empty unless an administrator sees as this user. */
export function useWriteBlock(): WriteBlock {
  return useIsSeenAs() ? { disabled: true, title: seenAsCannotChange } : {};
}
