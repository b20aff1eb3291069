import { useQuery } from '@tanstack/react-query';
import * as texts from '#messages/account.ts';
import { useState } from 'react';
import { useSession } from '#web/api/session.queries.ts';
import { QueryPending } from '#web/ui/query-state.tsx';
import { usePostFactor } from './account.mutations.ts';
import { factorsQuery } from './account.queries.ts';
import { AuthenticatorAppForm } from './authenticator-app-form.tsx';
import { ConfirmForm } from './confirm-form.tsx';
import { FactorButtons } from './factor-buttons.tsx';
import { FactorList } from './factor-list.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import shared from '#web/ui/shared.module.css';

/** The second factors of the user, and setting up others. @param onSetUp a factor is set up, and its codes are stored */
export function SecondFactors({ onSetUp }: { readonly onSetUp?: () => void }) {
  const { username } = useSession();
  const { data, error, refetch } = useQuery(factorsQuery(username));
  const begin = usePostFactor();
  const [codes, setCodes] = useState<readonly string[]>();
  const [isAppOpen, setIsAppOpen] = useState(false);
  const finish = (recoveryCodes: readonly string[] | undefined) => {
    setIsAppOpen(false);
    if (recoveryCodes) setCodes(recoveryCodes);
    else onSetUp?.();
  };
  if (!data) return <QueryPending query={{ error, refetch }} title={texts.notRead} />;
  if (codes) {
    const done = () => {
      setCodes(undefined);
      onSetUp?.();
    };
    return <RecoveryCodes codes={codes} onDone={done} />;
  }
  const enrolment = isAppOpen ? begin.data?.enrolment : undefined;
  if (enrolment) {
    return (
      <AuthenticatorAppForm
        enrolment={enrolment}
        onDone={finish}
        onCancel={() => setIsAppOpen(false)}
      />
    );
  }
  const { factors, provider, recoveryCodesLeft } = data;
  const isConfirmed = data.confirmedUntil !== null;
  if (provider !== null && factors.length === 0) return <p>{texts.factorsAt(provider)}</p>;
  return (
    <div className={shared.stack}>
      {provider !== null && <p>{texts.factorsAt(provider)}</p>}
      <FactorList factors={factors} canChange={isConfirmed} />
      {factors.length > 0 && <p>{texts.codesLeft(recoveryCodesLeft)}</p>}
      {!isConfirmed && (
        <ConfirmForm
          factors={factors}
          startsWithCode={provider !== null}
          reason={texts.confirmFirst}
        />
      )}
      {isConfirmed && provider === null && (
        <FactorButtons
          factors={factors}
          begin={begin}
          onApp={() => setIsAppOpen(true)}
          onCodes={finish}
        />
      )}
    </div>
  );
}
