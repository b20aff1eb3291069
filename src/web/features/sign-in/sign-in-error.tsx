import * as texts from '#messages/sign-in.ts';
import { type ApiFailure, summary } from '#web/api/failure.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import classes from './sign-in.module.css';

interface SignInErrorProps {
  readonly failure: ApiFailure;
  /** until the next attempt is allowed */
  readonly secondsLeft: number;
}

/** Why signing in failed, and what the user can do. */
export function SignInError({ failure, secondsLeft }: SignInErrorProps) {
  if (failure.kind === 'unrecognized') return <ErrorPanel error={failure} />;
  return <p className={classes.message}>{textOf(failure, secondsLeft)}</p>;
}

function textOf(failure: ApiFailure, secondsLeft: number): string {
  if (failure.kind === 'unreachable') return texts.unreachable;
  if (failure.kind !== 'api') return summary(failure);
  switch (failure.status) {
    case 401:
      return failure.errors['-'] ? texts.credentialsWrong : summary(failure);
    case 429:
      return secondsLeft > 0 ? texts.waitSeconds(secondsLeft) : texts.tryAgainNow;
    case 503:
      return texts.serverBusy;
    default:
      return summary(failure);
  }
}
