import * as texts from '#messages/sign-in.ts';
import { useEffect, useMemo } from 'react';
import { useForm } from 'react-hook-form';
import type { Session } from '#shared/contract/answers.ts';
import { Button } from '#web/ui/button.tsx';
import { TextField } from '#web/ui/form/form-fields.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { readSecondStep } from './second-step.ts';
import { useSecondsLeft } from './seconds-left.ts';
import { SignInError } from './sign-in-error.tsx';
import { useSignIn } from './sign-in.mutations.ts';
import classes from './sign-in.module.css';

interface SecondStepFormProps {
  /** the body of `second_factor_required` */
  readonly prompt: unknown;
  readonly onSignedIn: (session: Session) => void;
  readonly onStartAgain: () => void;
}

/** The second factor after the correct password: a code, or a passkey. */
export function SecondStepForm({ prompt, onSignedIn, onStartAgain }: SecondStepFormProps) {
  const form = useForm({ defaultValues: { totp: '' } });
  const { control, setFocus } = form;
  const signIn = useSignIn();
  const failure = signIn.error?.failure;
  const secondsLeft = useSecondsLeft(failure, signIn.submittedAt);
  const step = useMemo(() => readSecondStep(prompt), [prompt]);
  const { challenge, hasApp, publicKey } = step;
  useEffect(() => {
    if (hasApp) setFocus('totp');
  }, [hasApp, setFocus]);
  return (
    <div className={classes.second}>
      {publicKey !== undefined && (
        <PasskeyButton step={step} hasFocus={!hasApp} onSignedIn={onSignedIn} />
      )}
      <Form
        form={form}
        mutation={signIn}
        toBody={({ totp }) => ({ challenge, totp })}
        onDone={({ data }) => onSignedIn(data)}
        onRefused={() => setFocus('totp', { shouldSelect: true })}
        errorTitle={texts.failed}
        errorView={failure && <SignInError failure={failure} secondsLeft={secondsLeft} />}
        submit={{ label: texts.signIn, size: 'large', disabled: secondsLeft > 0 }}
      >
        <TextField
          control={control}
          name="totp"
          label={hasApp ? texts.code : texts.recoveryCode}
          description={hasApp ? texts.codeHint : undefined}
          size="large"
          autoComplete="one-time-code"
          autoCapitalize="none"
          spellCheck={false}
          required
          marksRequired={false}
        />
      </Form>
      <Button variant="subtle" color="gray" onClick={onStartAgain}>
        {texts.startAgain}
      </Button>
    </div>
  );
}
