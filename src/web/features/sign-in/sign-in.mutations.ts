import { useMutation, useQueryClient } from '@tanstack/react-query';
import { apiPaths } from '#web/api/api-paths.ts';
import { dropPreloadedResponses } from '#web/api/preloaded-responses.ts';
import { firstSession, request } from '#web/api/request.ts';
import { type OwnSession, sessionQuery } from '#web/api/session.queries.ts';
import { sessionGate } from '#web/api/session-gate.ts';

/** The credentials of a sign-in: a name and a password, or the second step after it. */
type Proof =
  | Credentials
  | { readonly challenge: string; readonly totp: string }
  | { readonly challenge: string; readonly assertion: unknown };

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Signs in. The response sets the session cookie, and requests that wait for a session are sent. */
export function useSignIn() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (credentials: Proof) =>
      request(apiPaths.sessions(), {
        method: 'POST',
        gate: false,
        body: credentials,
        parse: firstSession,
      }),
    onSuccess: ({ data, lastEventId }) => {
      dropPreloadedResponses();
      client.setQueryData<OwnSession | null>(sessionQuery.queryKey, (before) => ({
        ...data,
        // After signing in again over the page, it still shows the data that was read before.
        readAfter: before ? before.readAfter : lastEventId,
      }));
      sessionGate.signedInAs(data);
    },
  });
}
