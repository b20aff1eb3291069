import * as texts from '#messages/sign-in.ts';
import { useEffect } from 'react';
import { useForm } from 'react-hook-form';
import { Form } from '#web/ui/form/form.tsx';
import { TextField } from '#web/ui/form/form-fields.tsx';
import { useSecondsLeft } from './seconds-left.ts';
import { SignInError } from './sign-in-error.tsx';
import { type Credentials, useSignIn } from './sign-in.mutations.ts';

interface SignInFormProps {
  /** where the same user signs in again: the name cannot be changed */
  readonly username?: string;
  readonly onSignedIn: () => void;
}

/** Name and password, and why they were refused. */
export function SignInForm({ username, onSignedIn }: SignInFormProps) {
  const form = useForm<Credentials>({ defaultValues: { username: username ?? '', password: '' } });
  const signIn = useSignIn();
  const failure = signIn.error?.failure;
  const secondsLeft = useSecondsLeft(
    failure?.kind === 'api' && failure.status === 429 ? (failure.retryAfter ?? 0) : 0,
    signIn.submittedAt,
  );
  const { control, setFocus } = form;
  useEffect(() => setFocus(username === undefined ? 'username' : 'password'), [setFocus, username]);

  return (
    <Form
      form={form}
      mutation={signIn}
      toBody={(credentials) => credentials}
      onDone={onSignedIn}
      onRefused={() => setFocus('password', { shouldSelect: true })}
      errorTitle={texts.failed}
      errorView={failure && <SignInError failure={failure} secondsLeft={secondsLeft} />}
      submit={{ label: texts.signIn, size: 'large', disabled: secondsLeft > 0 }}
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
        data-autofocus={username === undefined ? undefined : true}
        required
        marksRequired={false}
      />
    </Form>
  );
}
