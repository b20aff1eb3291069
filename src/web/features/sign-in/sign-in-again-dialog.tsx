import { Modal } from '@mantine/core';
import { Button } from '#web/ui/button.tsx';
import { SignInForm } from './sign-in-form.tsx';
import classes from './sign-in.module.css';

interface SignInAgainDialogProps {
  readonly opened: boolean;
  /** of who was signed in; null while that is not asked */
  readonly username: string | null;
  readonly onGiveUp: () => void;
}

/** The dialog of `SignInAgain`. */
export function SignInAgainDialog({ opened, username, onGiveUp }: SignInAgainDialogProps) {
  return (
    <Modal
      opened={opened}
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
      {username !== null && (
        <>
          <p className={classes.again}>
            Sign in again to go on. Everything you typed is still here.
          </p>
          <SignInForm username={username} onSignedIn={() => undefined} />
          <Button variant="subtle" color="gray" className={classes.giveUp} onClick={onGiveUp}>
            Leave without saving
          </Button>
        </>
      )}
    </Modal>
  );
}
