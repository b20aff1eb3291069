import * as texts from '#messages/sign-in.ts';
import { Modal } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { Session } from '#shared/contract/answers.ts';
import { sessionGate } from '#web/api/session-gate.ts';
import { browserSessionQuery, sessionQuery } from '#web/api/session.queries.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { Button } from '#web/ui/button.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { signInWays } from './sign-in-ways.ts';
import classes from './sign-in.module.css';

interface SignInAgainDialogProps {
  readonly opened: boolean;
  /** of the previously signed-in user; null while the dialog is closed */
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
 * Checks who is signed in in the browser while the dialog is open: another tab may sign in the same user, then the page
 * continues, or another user.
 */
function useBrowserSession(): void {
  const client = useQueryClient();
  const { data: current } = useQuery(browserSessionQuery);
  useEffect(() => {
    if (current === undefined) return;
    if (current === null || !sessionGate.adopt(current)) {
      sessionGate.setOther(current?.displayName ?? null);
      return;
    }
    client.setQueryData(
      sessionQuery.queryKey,
      (before) => before && { ...current, readAfter: before.readAfter },
    );
  }, [client, current]);
}

/** Signs in with the provider in another tab, because this page must stay. */
function SignInInNewTab({ provider }: { readonly provider: string }) {
  return (
    <div className={classes.provider}>
      <p>{texts.signInInNewTab}</p>
      <Button
        size="large"
        onClick={() => window.open(apiPaths.startProviderSignIn('/'), '_blank', 'noopener')}
      >
        {texts.signInWith(provider)}
      </Button>
    </div>
  );
}

/** The content of the dialog while it is open. */
function SignInAgainContent(
  props: Omit<SignInAgainDialogProps, 'opened'> & { readonly username: string },
) {
  const { username, other } = props;
  const { provider, hasPassword } = signInWays();
  useBrowserSession();
  return (
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
  );
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
      // Nobody may read the data of the page until its user is back.
      overlayProps={{ backgroundOpacity: 1, color: 'var(--surface-side)' }}
      // Above every other dialog, because one of them may have made the call.
      zIndex={900}
    >
      {username !== null && <SignInAgainContent {...props} username={username} />}
    </Modal>
  );
}
