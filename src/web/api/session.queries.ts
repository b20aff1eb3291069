import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { createContext, use } from 'react';
import type { Session } from '#shared/contract/answers.ts';
import { dropPreloadedResponses } from './preloaded-responses.ts';
import { CallError } from './failure.ts';
import { apiPaths } from './paths.ts';
import {
  firstSession,
  isOtherSession,
  isUnauthenticated,
  nothing,
  request,
  write,
} from './request.ts';
import { sessionGate } from './session-gate.ts';

/** The session of this page's user. */
export interface OwnSession extends Session {
  /** the event that all that was read in it holds; what happened after that is told by the events */
  readonly readAfter: string | null;
}

/** The session of the user, null where nobody is signed in. */
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

/** Stands around all that is shown to a signed-in user; the session stays the same until they leave. */
export const SessionProvider = SignedIn.Provider;

/** The signed-in user's session, within the frame. */
export function useSession(): Session {
  const session = use(SignedIn);
  if (!session) throw new Error('useSession is for components within SessionProvider.');
  return session;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Signs in; the cookie comes with the answer, and calls that wait for it go on. @throws {CallError} */
export async function signIn(client: QueryClient, credentials: Credentials): Promise<Session> {
  const { data, lastEventId } = await request(apiPaths.sessions(), {
    method: 'POST',
    gate: false,
    body: credentials,
    parse: firstSession,
  });
  dropPreloadedResponses();
  client.setQueryData<OwnSession | null>(sessionQuery.queryKey, (before) => ({
    ...data,
    // Who signs in again over the page still sees what was read before.
    readAfter: before ? before.readAfter : lastEventId,
  }));
  sessionGate.signedInAs(data);
  return data;
}

/** Ends the session at the server. @throws {CallError} where it could not be told */
export async function signOut(): Promise<void> {
  try {
    await request(apiPaths.sessions(), { method: 'DELETE', gate: false, parse: nothing });
  } catch (error) {
    // A session that is over already is what was wanted; another user's is not this page's to end.
    if (!(error instanceof CallError)) throw error;
    if (!isUnauthenticated(error.failure) && !isOtherSession(error.failure)) throw error;
  }
}

/** Changes one's own password; other sessions of the user end. @throws {CallError} */
export async function changePassword(
  username: string,
  body: { readonly current: string; readonly password: string },
): Promise<void> {
  await write(apiPaths.password(username), { method: 'PUT', body, parse: nothing });
}
