import * as texts from '#messages/sign-in.ts';
import { useMutation } from '@tanstack/react-query';
import type { Session } from '#shared/contract/answers.ts';
import { canUsePasskeys, storePasskeyUse } from '#web/api/passkey-support.ts';
import { Button } from '#web/ui/button.tsx';
import type { SecondStep } from './second-step.ts';
import { useSignIn } from './sign-in.mutations.ts';
import classes from './sign-in.module.css';

interface PasskeyButtonProps {
  /** the step after a password; missing: the passkey alone signs in */
  readonly step?: SecondStep;
  /** whether it has the focus first, so that one key and a touch sign in */
  readonly hasFocus: boolean;
  readonly onSignedIn: (session: Session) => void;
}

/** Signs in with a passkey, if the browser supports it. */
export function PasskeyButton({ step, hasFocus, onSignedIn }: PasskeyButtonProps) {
  const signIn = useSignIn();
  const proof = useMutation({
    mutationFn: async () => {
      const { proveByPasskey } = await import('#web/api/passkey-proof.ts');
      const { data } = await signIn.mutateAsync(await proveByPasskey(step));
      storePasskeyUse();
      onSignedIn(data);
    },
  });
  if (!canUsePasskeys()) return null;
  return (
    <>
      <Button
        type="button"
        variant={step ? 'filled' : 'default'}
        size="large"
        ref={hasFocus ? focusOnce : null}
        data-autofocus={hasFocus || undefined}
        loading={signIn.isPending}
        onClick={() => proof.mutate()}
      >
        {texts.passkeyButton}
      </Button>
      {proof.isError && (
        <p className={classes.message} role="alert">
          {texts.passkeyFailed}
        </p>
      )}
    </>
  );
}

function focusOnce(button: HTMLButtonElement | null): void {
  button?.focus();
}
