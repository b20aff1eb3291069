import { Button, Modal } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { sessionGate } from '#web/api/session-gate.ts';
import { SignInForm } from './sign-in-form.tsx';
import classes from './sign-in.module.css';

/**
 * Asks the user to sign in again over the page when the session has ended. The page stays as it is,
 * with all that was typed; the calls that were refused are repeated afterwards.
 */
export function SignInAgain({ onGiveUp }: { readonly onGiveUp: () => void }) {
  const gate = useSyncExternalStore(sessionGate.subscribe, sessionGate.get);
  return (
    <Modal
      opened={gate.is === 'closed'}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session has ended"
      size={380}
      centered
      // Above every other dialog: one of those may have made the call.
      zIndex={900}
    >
      {gate.is === 'closed' && (
        <>
          <p className={classes.again}>
            Sign in again to go on. Everything you typed is still here.
          </p>
          <SignInForm username={gate.username} onSignedIn={() => undefined} />
          <Button variant="subtle" color="gray" fullWidth mt={8} onClick={onGiveUp}>
            Leave without saving
          </Button>
        </>
      )}
    </Modal>
  );
}
