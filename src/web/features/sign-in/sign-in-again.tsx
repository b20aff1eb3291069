import { useSyncExternalStore } from 'react';
import { sessionGate } from '#web/api/session-gate.ts';
import { lazyDialog } from '#web/ui/lazy-component.tsx';

const SignInAgainDialog = lazyDialog(
  async () => (await import('./sign-in-again-dialog.tsx')).SignInAgainDialog,
);

interface SignInAgainProps {
  /** leaves the page: nobody is signed in any more */
  readonly onGiveUp: () => void;
  /** leaves the page to the user who has signed in in another tab */
  readonly onContinueAsOther: () => void;
}

/**
 * Asks the user to sign in again over the page when the session has ended, or when another user has signed in in
 * another tab. The page keeps all typed text; the rejected calls are repeated afterwards.
 */
export function SignInAgain({ onGiveUp, onContinueAsOther }: SignInAgainProps) {
  const gate = useSyncExternalStore(sessionGate.subscribe, sessionGate.get);
  const closed = gate.is === 'closed';
  return (
    <SignInAgainDialog
      opened={closed}
      username={closed ? gate.username : null}
      other={closed ? gate.other : null}
      onGiveUp={onGiveUp}
      onContinueAsOther={onContinueAsOther}
    />
  );
}
