import * as texts from '#messages/sign-in.ts';
import { Modal } from '@mantine/core';
import { useEffect } from 'react';
import type { Session } from '#shared/contract/answers.ts';
import { Button } from '#web/ui/button.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { useAdoptSession } from './sign-in.mutations.ts';
import { providerAddress, signInWays } from './sign-in-ways.ts';
import classes from './sign-in.module.css';

interface SignInAgainDialogProps {
  readonly opened: boolean;
  /** of the previously signed-in user; null while nothing is asked */
  readonly username: string | null;
  /** the display name of the user who has signed in in another tab; null: the session has ended */
  readonly other: string | null;
  readonly onGiveUp: () => void;
  readonly onContinueAsOther: () => void;
}

/** A user who must change a generated password, or set up a second factor, does that first. Drafts are stored. */
function leaveForObligation(session: Session): void {
  if (session.passwordChangeRequired || session.secondFactorEnrolmentRequired) location.reload();
}

/**
 * Signs in with the provider in another tab, because this page must stay. When the user returns, the page continues in
 * the browser's session, if it belongs to the same user.
 */
function SignInInNewTab({ provider }: { readonly provider: string }) {
  const { mutate: adopt } = useAdoptSession();
  useEffect(() => {
    const onReturn = () => adopt();
    addEventListener('focus', onReturn);
    return () => removeEventListener('focus', onReturn);
  }, [adopt]);
  return (
    <div className={classes.provider}>
      <p>{texts.signInInNewTab}</p>
      <Button size="large" onClick={() => window.open(providerAddress('/'), '_blank', 'noopener')}>
        {texts.signInWith(provider)}
      </Button>
    </div>
  );
}

/** The dialog of `SignInAgain`. */
export function SignInAgainDialog(props: SignInAgainDialogProps) {
  const { opened, username, other } = props;
  const { provider, hasPassword } = signInWays();
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
      // Nobody may read the data of the page until its user is back.
      overlayProps={{ backgroundOpacity: 1, color: 'var(--surface-side)' }}
      // Above every other dialog, because one of them may have made the call.
      zIndex={900}
    >
      {username !== null && (
        <>
          <p className={classes.again}>
            {other === null ? texts.signInAgain : texts.signInAgainAfterOther(other)}
          </p>
          {provider !== '' && <SignInInNewTab provider={provider} />}
          {hasPassword && <SignInForm username={username} onSignedIn={leaveForObligation} />}
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
