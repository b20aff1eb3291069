import * as texts from '#messages/sign-in.ts';
import { type OwnSession, SessionProvider } from '#web/api/session.queries.ts';
import { PasswordForm } from '#web/features/frame/password-form.tsx';
import { useTitle } from '#web/ui/page.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './password-change-page.module.css';
import { Unframed } from './unframed.tsx';

interface PasswordChangePageProps {
  readonly session: OwnSession;
  readonly onChanged: () => void;
}

/** The first page of a user whose password was generated, by an administrator or at the first start. */
export function PasswordChangePage({ session, onChanged }: PasswordChangePageProps) {
  useTitle(texts.chooseOwnPassword);
  return (
    <SessionProvider value={session}>
      <Unframed>
        <div className={classes.card}>
          <h1 className={classes.title}>{texts.chooseOwnPassword}</h1>
          <p className={shared.muted}>{texts.passwordWasGenerated}</p>
          <PasswordForm onDone={onChanged} />
        </div>
      </Unframed>
    </SessionProvider>
  );
}
