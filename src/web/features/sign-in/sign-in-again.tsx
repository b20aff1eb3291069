import { useEffect, useEffectEvent } from 'react';
import { useStore } from '#web/api/use-store.ts';
import { sessionGate } from '#web/api/session-gate.ts';
import { hasUnsavedInput } from '#web/ui/form/unsaved-input.ts';
import { lazyDialog } from '#web/ui/lazy-component.tsx';

const SignInAgainDialog = lazyDialog(
  async () => (await import('./sign-in-again-dialog.tsx')).SignInAgainDialog,
);

/** How long a page stays behind the dialog if it has nothing to lose, in milliseconds. */
const LEAVE_AFTER = 5 * 60_000;

interface SignInAgainProps {
  /** leaves the page: nobody is signed in any more */
  readonly onGiveUp: () => void;
  /** leaves the page to the user who has signed in in another tab */
  readonly onContinueAsOther: () => void;
}

/**
 * Asks the user to sign in again over the page when the session has ended, or when another user has signed in in
 * another tab. The page stays below the dialog with all typed text, and the rejected calls are repeated afterwards.
 * After five minutes the page is closed, so that its data does not remain in the browser, unless a form has input that
 * is not stored.
 */
export function SignInAgain({ onGiveUp, onContinueAsOther }: SignInAgainProps) {
  const gate = useStore(sessionGate);
  const closed = gate.is === 'closed';
  const other = closed ? gate.other : null;
  const leave = useEffectEvent(other === null ? onGiveUp : onContinueAsOther);
  useEffect(() => {
    // The form of the dialog does not count.
    if (!closed || hasUnsavedInput()) return undefined;
    const timer = setTimeout(() => leave(), LEAVE_AFTER);
    return () => clearTimeout(timer);
  }, [closed]);
  return (
    <SignInAgainDialog
      opened={closed}
      username={closed ? gate.username : null}
      other={other}
      onGiveUp={onGiveUp}
      onContinueAsOther={onContinueAsOther}
    />
  );
}
