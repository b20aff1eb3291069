import { useQuery } from '@tanstack/react-query';
import * as texts from '#messages/account.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import { CallError } from '#web/api/failure.ts';
import { useSession } from '#web/api/session.queries.ts';
import { Button } from '#web/ui/button.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import { factorsQuery } from './account.queries.ts';
import { ConfirmForm } from './confirm-form.tsx';
import shared from '#web/ui/shared.module.css';

/** Whether a call was refused because the last proof of the user's identity is too old. */
export function isProofMissing(error: unknown): boolean {
  if (!(error instanceof CallError)) return false;
  const { failure } = error;
  return failure.kind === 'api' && failure.code === 'confirmation_required';
}

/** Asks users for a proof of their identity before other sessions end. */
export function EndConfirmation({ onConfirmed }: { readonly onConfirmed: () => void }) {
  const { username } = useSession();
  const query = useQuery(factorsQuery(username));
  if (!query.data) return <QueryPending query={query} title={texts.notRead} />;
  const { factors, provider } = query.data;
  if (provider !== null && factors.length === 0) {
    // Nothing but the provider can prove who this is.
    return (
      <div className={shared.stack}>
        <p>{texts.confirmToEnd}</p>
        <div className={shared.buttons}>
          <Button onClick={() => location.assign(apiPaths.startProviderSignIn('/account'))}>
            {texts.signInAgainWith(provider)}
          </Button>
        </div>
      </div>
    );
  }
  return (
    <ConfirmForm
      factors={factors}
      startsWithCode={provider !== null}
      reason={texts.confirmToEnd}
      onConfirmed={onConfirmed}
    />
  );
}
