import * as texts from '#messages/frame.ts';
import { useMutation } from '@tanstack/react-query';
import { CallError } from '#web/api/failure.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { isOtherSession, isUnauthenticated, ignoreBody, request } from '#web/api/request.ts';
import { sessionGate } from '#web/api/session-gate.ts';
import { notifyFailure } from '#web/ui/notify.ts';

/** Ends the session at the service. If that fails, the user stays signed in and is informed. */
export function useSignOut(onSignedOut: () => void): () => void {
  const { mutate } = useMutation({
    mutationFn: signOut,
    onSuccess: onSignedOut,
    onError: (error) => notifyFailure(texts.stillSignedIn(error.message)),
  });
  return () => mutate();
}

async function signOut(): Promise<void> {
  try {
    await request(apiPaths.sessions(), { method: 'DELETE', gate: false, parse: ignoreBody });
  } catch (error) {
    // A session that has ended counts as signed out; another user's session must not be ended by this page.
    if (!(error instanceof CallError)) throw error;
    if (!isUnauthenticated(error.failure) && !isOtherSession(error.failure)) throw error;
  }
  // The dialog to sign in again must not open over a page that is being closed.
  sessionGate.signedInAs(null);
}
