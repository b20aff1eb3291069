import * as texts from '#messages/sign-in.ts';
import { type ReactNode, useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { Session } from '#shared/contract/answers.ts';
import { isPasskeyLikely } from '#web/api/passkey-support.ts';
import { Form } from '#web/ui/form/form.tsx';
import { TextField } from '#web/ui/form/form-fields.tsx';
import { PasskeyButton } from './passkey-button.tsx';
import { useSecondsLeft } from './seconds-left.ts';
import { SignInError } from './sign-in-error.tsx';
import { type Credentials, useSignIn } from './sign-in.mutations.ts';
import classes from './sign-in.module.css';

interface SignInFormProps {
  /** given when the same user signs in again: the name cannot be changed */
  readonly username?: string;
  readonly onSignedIn: (session: Session) => void;
}

/** Username and password, and the error. */
export function SignInForm({ username, onSignedIn }: SignInFormProps) {
  const form = useForm<Credentials>({ defaultValues: { username: username ?? '', password: '' } });
  const signIn = useSignIn();
  const failure = signIn.error?.failure;
  const secondsLeft = useSecondsLeft(failure, signIn.submittedAt);
  const [secondStep, setSecondStep] = useState<ReactNode>();
  const [isNotLoaded, setIsNotLoaded] = useState(false);
  const { control, setFocus } = form;
  const [startsWithPasskey] = useState(isPasskeyLikely);
  useEffect(() => {
    if (!startsWithPasskey) setFocus(username === undefined ? 'username' : 'password');
  }, [setFocus, startsWithPasskey, username]);

  const openSecondStep = async (prompt: unknown) => {
    setIsNotLoaded(false);
    try {
      const { SecondStepForm } = await import('./second-step-form.tsx');
      const onStartAgain = () => setSecondStep(undefined);
      setSecondStep(<SecondStepForm {...{ prompt, onSignedIn, onStartAgain }} />);
    } catch {
      setIsNotLoaded(true);
    }
  };
  if (secondStep !== undefined) return secondStep;
  const hasSecondStep = failure?.kind === 'api' && failure.secondStep !== undefined;
  return (
    <Form
      form={form}
      mutation={signIn}
      toBody={(credentials) => credentials}
      onDone={({ data }) => onSignedIn(data)}
      onRefused={(refused) => {
        if (refused.kind === 'api' && refused.secondStep) void openSecondStep(refused.secondStep);
        else setFocus('password', { shouldSelect: true });
      }}
      errorTitle={texts.failed}
      errorView={
        hasSecondStep
          ? isNotLoaded && <p className={classes.message}>{texts.failed}</p>
          : failure && <SignInError failure={failure} secondsLeft={secondsLeft} />
      }
      submit={{ label: texts.signIn, size: 'large', disabled: secondsLeft > 0 }}
      secondary={<PasskeyButton hasFocus={startsWithPasskey} onSignedIn={onSignedIn} />}
    >
      <TextField
        control={control}
        name="username"
        label={texts.userName}
        size="large"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        marksRequired={false}
        readOnly={username !== undefined}
      />
      <TextField
        control={control}
        name="password"
        label={texts.password}
        type="password"
        size="large"
        autoComplete="current-password"
        data-autofocus={(username !== undefined && !startsWithPasskey) || undefined}
        required
        marksRequired={false}
      />
    </Form>
  );
}
