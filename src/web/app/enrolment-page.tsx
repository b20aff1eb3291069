import * as texts from '#messages/sign-in.ts';
import { type OwnSession, SessionProvider } from '#web/api/session.queries.ts';
import { SecondFactors } from '#web/features/account/second-factors.tsx';
import { useTitle } from '#web/ui/page.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './password-change-page.module.css';
import { Unframed } from './unframed.tsx';

interface EnrolmentPageProps {
  readonly session: OwnSession;
  readonly onDone: () => void;
}

/** The first page of a user who must set up a second factor. */
export function EnrolmentPage({ session, onDone }: EnrolmentPageProps) {
  useTitle(texts.setUpFactor);
  return (
    <SessionProvider value={session}>
      <Unframed>
        <div className={classes.card}>
          <h1 className={classes.title}>{texts.setUpFactor}</h1>
          <p className={shared.muted}>{texts.factorDemanded}</p>
          <SecondFactors onSetUp={onDone} />
        </div>
      </Unframed>
    </SessionProvider>
  );
}
