import type { ReactNode } from 'react';
import * as texts from '#messages/sign-in.ts';
import { type OwnSession, SessionProvider } from '#web/api/session.queries.ts';
import { SecondFactors } from '#web/features/account/second-factors.tsx';
import { PasswordForm } from '#web/features/frame/password-form.tsx';
import { useTitle } from '#web/ui/page.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './first-page.module.css';
import { Unframed } from './unframed.tsx';
import { focusAutofocus } from '#web/ui/focus-autofocus.ts';

interface FirstPageProps {
  readonly session: OwnSession;
  /** the user has completed the page */
  readonly onDone: () => void;
}

/** The first page of a user whose password was generated, by an administrator or at the first start. */
export function PasswordChangePage({ session, onDone }: FirstPageProps) {
  return (
    <Card session={session} title={texts.chooseOwnPassword} hint={texts.passwordWasGenerated}>
      <PasswordForm onDone={onDone} />
    </Card>
  );
}

/** The first page of a user who must set up a second factor. */
export function EnrolmentPage({ session, onDone }: FirstPageProps) {
  return (
    <Card session={session} title={texts.setUpFactor} hint={texts.factorDemanded}>
      <SecondFactors onSetUp={onDone} />
    </Card>
  );
}

interface CardProps extends Pick<FirstPageProps, 'session'> {
  readonly title: string;
  readonly hint: string;
  readonly children: ReactNode;
}

function Card({ session, title, hint, children }: CardProps) {
  useTitle(title);
  return (
    <SessionProvider value={session}>
      <Unframed>
        <div ref={focusAutofocus} className={classes.card}>
          <h1 className={classes.title}>{title}</h1>
          <p className={shared.muted}>{hint}</p>
          {children}
        </div>
      </Unframed>
    </SessionProvider>
  );
}
