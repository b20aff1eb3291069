import * as texts from '#messages/sign-in.ts';
import { Modal } from '@mantine/core';
import { Button } from '#web/ui/button.tsx';
import { SignInForm } from './sign-in-form.tsx';
import classes from './sign-in.module.css';

interface SignInAgainDialogProps {
  readonly opened: boolean;
  /** of who was signed in; null while that is not asked */
  readonly username: string | null;
  /** the display name of the user who has signed in in another tab; null: the session has ended */
  readonly other: string | null;
  readonly onGiveUp: () => void;
  readonly onContinueAsOther: () => void;
}

/** The dialog of `SignInAgain`. */
export function SignInAgainDialog(props: SignInAgainDialogProps) {
  const { opened, username, other } = props;
  return (
    <Modal
      opened={opened}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={other === null ? texts.sessionEnded : texts.otherSignedIn(other)}
      size={380}
      centered
      // Above every other dialog: one of those may have made the call.
      zIndex={900}
    >
      {username !== null && (
        <>
          <p className={classes.again}>
            {other === null ? texts.signInAgain : texts.signInAgainAfterOther(other)}
          </p>
          <SignInForm username={username} onSignedIn={() => undefined} />
          <Button
            variant="subtle"
            color="gray"
            className={classes.giveUp}
            onClick={other === null ? props.onGiveUp : props.onContinueAsOther}
          >
            {other === null ? texts.leaveWithoutSaving : texts.continueAs(other)}
          </Button>
        </>
      )}
    </Modal>
  );
}
