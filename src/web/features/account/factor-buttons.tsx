import * as texts from '#messages/account.ts';
import type { Factor } from '#shared/contract/factors.ts';
import { CallError } from '#web/api/failure.ts';
import { canUsePasskeys } from '#web/api/passkey-support.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { useAddPasskey, type usePostFactor } from './account.mutations.ts';
import shared from '#web/ui/shared.module.css';

interface FactorButtonsProps {
  readonly factors: readonly Factor[];
  readonly begin: ReturnType<typeof usePostFactor>;
  /** starts setting up an authenticator app */
  readonly onApp: () => void;
  /** a factor is set up, or the recovery codes were replaced */
  readonly onCodes: (recoveryCodes: readonly string[] | undefined) => void;
}

/** The factors that a user can add after proving their identity. */
export function FactorButtons({ factors, begin, onApp, onCodes }: FactorButtonsProps) {
  const addPasskey = useAddPasskey();
  const passkeys = factors.filter(({ kind }) => kind === 'passkey').length;
  return (
    <>
      <div className={shared.buttons}>
        {passkeys === factors.length && (
          <Button
            writes
            variant="default"
            loading={begin.isPending}
            onClick={() => begin.mutate({ kind: 'totp' }, { onSuccess: onApp })}
          >
            {texts.addApp}
          </Button>
        )}
        {canUsePasskeys() && (
          <Button
            writes
            variant="default"
            loading={addPasskey.isPending}
            onClick={() =>
              addPasskey.mutate(texts.newPasskey(passkeys + 1), {
                onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes),
              })
            }
          >
            {texts.addPasskey}
          </Button>
        )}
        {factors.length > 0 && (
          <Button
            writes
            variant="default"
            onClick={() =>
              begin.mutate(
                { kind: 'recoveryCodes' },
                { onSuccess: ({ recoveryCodes }) => onCodes(recoveryCodes) },
              )
            }
          >
            {texts.newCodes}
          </Button>
        )}
      </div>
      {!canUsePasskeys() && <p className={shared.muted}>{texts.noPasskeys}</p>}
      {begin.error && <ErrorPanel error={begin.error} title={texts.notSetUp} />}
      {addPasskey.isError &&
        (addPasskey.error instanceof CallError ? (
          <ErrorPanel error={addPasskey.error} title={texts.notSetUp} />
        ) : (
          <p role="alert">{texts.passkeyFailed}</p>
        ))}
    </>
  );
}
