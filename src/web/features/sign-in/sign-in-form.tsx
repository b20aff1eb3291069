import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useId, useRef, useState } from 'react';
import { signIn } from '#web/api/session.queries.ts';
import { Button } from '#web/ui/button.tsx';
import { PlainInput } from '#web/ui/plain-input.tsx';
import { useSecondsLeft } from './seconds-left.ts';
import { SignInError } from './sign-in-error.tsx';
import classes from './sign-in.module.css';

interface SignInFormProps {
  /** where the same person has to sign in again: the name stands and cannot be changed */
  readonly username?: string;
  readonly onSignedIn: () => void;
}

/** Name and password, and plain words about what is wrong with them. */
export function SignInForm({ username: fixed, onSignedIn }: SignInFormProps) {
  const client = useQueryClient();
  const [username, setUsername] = useState(fixed ?? '');
  const [password, setPassword] = useState('');
  const nameInput = useRef<HTMLInputElement>(null);
  const passwordInput = useRef<HTMLInputElement>(null);
  const errorId = useId();

  const attempt = useMutation({
    mutationFn: () => signIn(client, { username, password }),
    onSuccess: onSignedIn,
    onError: () => passwordInput.current?.select(),
  });
  const failure = attempt.error?.failure;
  const toWait = useSecondsLeft(
    failure?.kind === 'api' && failure.status === 429 ? (failure.retryAfter ?? 0) : 0,
    attempt.submittedAt,
  );

  useEffect(() => {
    (fixed === undefined ? nameInput : passwordInput).current?.focus();
  }, [fixed]);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (toWait === 0 && !attempt.isPending) attempt.mutate();
  };

  return (
    <form className={classes.form} onSubmit={submit}>
      <PlainInput
        ref={nameInput}
        label="User name"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        readOnly={fixed !== undefined}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <PlainInput
        ref={passwordInput}
        label="Password"
        type="password"
        data-autofocus={fixed === undefined ? undefined : true}
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        aria-describedby={failure ? errorId : undefined}
      />
      <div id={errorId} role="alert" className={classes.error}>
        {failure && <SignInError failure={failure} toWait={toWait} />}
      </div>
      <Button type="submit" size="large" loading={attempt.isPending} disabled={toWait > 0}>
        Sign in
      </Button>
    </form>
  );
}
