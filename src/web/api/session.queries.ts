import { type QueryClient, queryOptions, useSuspenseQuery } from '@tanstack/react-query';
import type { Session } from '#shared/answers.ts';
import { answers } from './answers.ts';
import { CallError } from './failure.ts';
import { apiPaths } from './paths.ts';
import { nothing, request, write } from './request.ts';
import { sessionGate } from './session-gate.ts';

async function firstSession(data: unknown): Promise<Session> {
  const [session] = (await answers()).sessionsAnswer.parse(data).sessions;
  if (!session) throw new Error('The answer holds no session.');
  return session;
}

/** The session of the user, null where nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }): Promise<Session | null> => {
    try {
      const { data } = await request(apiPaths.sessions(), {
        method: 'GET',
        gate: false,
        signal,
        parse: firstSession,
      });
      sessionGate.signedInAs(data.username);
      return data;
    } catch (error) {
      if (error instanceof CallError && isUnauthenticated(error)) return null;
      throw error;
    }
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

function isUnauthenticated({ failure }: CallError): boolean {
  return failure.kind === 'api' && failure.status === 401;
}

/** The signed-in user's session. Only within the frame, which is shown to nobody else. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  if (!data)
    throw new CallError({
      kind: 'strange',
      status: 0,
      contentType: '',
      text: 'Nobody is signed in.',
    });
  return data;
}

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Signs in; the cookie comes with the answer, and calls that wait for it go on. @throws {CallError} */
export async function signIn(client: QueryClient, credentials: Credentials): Promise<Session> {
  const { data } = await request(apiPaths.sessions(), {
    method: 'POST',
    gate: false,
    body: credentials,
    parse: firstSession,
  });
  client.setQueryData(sessionQuery.queryKey, data);
  sessionGate.signedInAs(data.username);
  return data;
}

/** Ends the session and forgets all that was read in it. @throws {CallError} where the server could not be told */
export async function signOut(client: QueryClient): Promise<void> {
  try {
    await request(apiPaths.sessions(), { method: 'DELETE', gate: false, parse: nothing });
  } catch (error) {
    // A session that is over already is what was wanted.
    if (!(error instanceof CallError && isUnauthenticated(error))) throw error;
  }
  forgetSession(client);
}

/** Drops what was read in a session that is over. */
export function forgetSession(client: QueryClient): void {
  sessionGate.signedInAs(null);
  client.clear();
  client.setQueryData(sessionQuery.queryKey, null);
}

/** Changes one's own password; other sessions of the user end. @throws {CallError} */
export async function changePassword(
  username: string,
  body: { readonly current: string; readonly password: string },
): Promise<void> {
  await write(apiPaths.password(username), { method: 'PUT', body, parse: nothing });
}
