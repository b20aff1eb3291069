import { type ApiFailure, summary } from '#web/api/failure.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import classes from './sign-in.module.css';

interface SignInErrorProps {
  readonly failure: ApiFailure;
  /** seconds until the next try is allowed */
  readonly toWait: number;
}

/** Why signing in did not work, and what to do about it. */
export function SignInError({ failure, toWait }: SignInErrorProps) {
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
      return <p className={classes.message}>{words(failure, toWait)}</p>;
    default:
      return failure satisfies never;
  }
}

function words(failure: Extract<ApiFailure, { kind: 'api' }>, toWait: number): string {
  switch (failure.status) {
    case 401:
      return 'The user name or the password is wrong.';
    case 429:
      return toWait > 0
        ? `Too many attempts. Wait ${toWait} ${toWait === 1 ? 'second' : 'seconds'}, then try again.`
        : 'There were too many attempts. You can try again now.';
    case 503:
      return 'The server is busy or starting. Try again in a moment.';
    default:
      return summary(failure);
  }
}
