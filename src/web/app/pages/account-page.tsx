import * as texts from '#messages/account.ts';
import { type ReactNode, useState } from 'react';
import { Formats } from '#web/features/account/formats.tsx';
import { OwnPassword } from '#web/features/account/own-password.tsx';
import { OwnSessions } from '#web/features/account/own-sessions.tsx';
import { OwnTokens } from '#web/features/account/own-tokens.tsx';
import { SecondFactors } from '#web/features/account/second-factors.tsx';
import { PasswordForm } from '#web/features/frame/password-form.tsx';
import { Page } from '#web/ui/page.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './account-page.module.css';

/** The account of the user: sign-in methods, sessions, and formats of values. */
export function AccountPage() {
  return (
    <Page title={texts.account} body="prose">
      <div className={classes.page}>
        <Section title={texts.password}>
          <OwnPassword form={<OwnPasswordForm />} />
        </Section>
        <Section title={texts.secondFactor} hint={texts.secondFactorHint}>
          <SecondFactors />
        </Section>
        <Section title={texts.tokens} hint={texts.tokensHint}>
          <OwnTokens />
        </Section>
        <Section title={texts.sessions} hint={texts.sessionsHint}>
          <OwnSessions />
        </Section>
        <Section title={texts.languageAndFormats}>
          <Formats />
        </Section>
      </div>
    </Page>
  );
}

/** The form of a new password, empty again after each change. */
function OwnPasswordForm() {
  const [changes, setChanges] = useState(0);
  return (
    <div className={classes.form}>
      <PasswordForm key={changes} onDone={() => setChanges(changes + 1)} />
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly hint?: string;
  readonly children: ReactNode;
}

function Section({ title, hint, children }: SectionProps) {
  return (
    <section className={shared.stack}>
      <h2 className={classes.heading}>{title}</h2>
      {hint !== undefined && <p className={shared.muted}>{hint}</p>}
      {children}
    </section>
  );
}
