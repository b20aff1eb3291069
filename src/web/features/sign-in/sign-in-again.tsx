import { useSyncExternalStore } from 'react';
import { sessionGate } from '#web/api/session-gate.ts';
import { laterDialog } from '#web/ui/later.tsx';

const SignInAgainDialog = laterDialog(
  async () => (await import('./sign-in-again-dialog.tsx')).SignInAgainDialog,
);

/**
 * Asks the user to sign in again over the page when the session has ended. The page stays as it is,
 * with all that was typed; the calls that were refused are repeated afterwards.
 */
export function SignInAgain({ onGiveUp }: { readonly onGiveUp: () => void }) {
  const gate = useSyncExternalStore(sessionGate.subscribe, sessionGate.get);
  const closed = gate.is === 'closed';
  return (
    <SignInAgainDialog
      opened={closed}
      username={closed ? gate.username : null}
      onGiveUp={onGiveUp}
    />
  );
}
