import { type ApiFailure, summary } from '#web/api/failure.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import classes from './sign-in.module.css';

interface SignInErrorProps {
  readonly failure: ApiFailure;
  /** until the next attempt is allowed */
  readonly secondsLeft: number;
}

/** Why signing in failed, and what to do about it. */
export function SignInError({ failure, secondsLeft }: SignInErrorProps) {
  switch (failure.kind) {
    case 'strange':
      return <ErrorPanel error={failure} />;
    case 'unreachable':
      return (
        <p className={classes.message}>
          The server cannot be reached. Check the connection and try again.
        </p>
      );
    case 'api':
      return <p className={classes.message}>{textOf(failure, secondsLeft)}</p>;
    default:
      return failure satisfies never;
  }
}

function textOf(failure: Extract<ApiFailure, { kind: 'api' }>, secondsLeft: number): string {
  switch (failure.status) {
    case 401:
      return 'The user name or the password is wrong.';
    case 429:
      return secondsLeft > 0
        ? `Too many attempts. Wait ${secondsLeft} ${secondsLeft === 1 ? 'second' : 'seconds'}, then try again.`
        : 'There were too many attempts. You can try again now.';
    case 503:
      return 'The server is busy or starting. Try again in a moment.';
    default:
      return summary(failure);
  }
}
