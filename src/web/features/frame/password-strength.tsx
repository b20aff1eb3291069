import * as texts from '#messages/password.ts';
import { type Control, useWatch } from 'react-hook-form';
import { MIN_PASSWORD_LENGTH } from '#shared/rules/passwords.ts';
import { countCodePoints } from '#shared/values/code-points.ts';
import { useSession } from '#web/api/session.queries.ts';
import { useCheckPassword } from './password.mutations.ts';
import classes from './password-strength.module.css';
import { useDebouncedEffect } from '#web/ui/use-debounced-effect.ts';

/** Delay between the last key press and the request to the service, in milliseconds. */
const ASK_AFTER = 300;
/** From this length on a password that is not common counts as strong. */
const STRONG_LENGTH = 16;

interface PasswordStrengthProps {
  readonly control: Control<{ current: string; password: string; again: string }>;
}

/** Whether the typed password would be accepted, and how strong it is. */
export function PasswordStrength({ control }: PasswordStrengthProps) {
  const { passwordChangeRequired = false } = useSession();
  const password = useWatch({ control, name: 'password' });
  const { mutate, data, variables } = useCheckPassword();
  const length = countCodePoints(password, STRONG_LENGTH);
  // Until a generated password is changed, the service rejects other calls.
  const isAsked = length >= MIN_PASSWORD_LENGTH && !passwordChangeRequired;
  useDebouncedEffect(password, ASK_AFTER, (typed) => {
    if (isAsked) mutate(typed);
  });
  const verdict = variables === password ? data : undefined;
  const { level, text } = strengthOf(length, isAsked ? verdict : null);
  if (text === null) return null;
  return (
    <div className={classes.strength} role="status">
      <span className={classes.bar} data-level={level} aria-hidden="true" />
      <span>{text}</span>
    </div>
  );
}

/** @param objection why the service would reject it; null: it accepts it, or was not called; undefined: unknown */
function strengthOf(length: number, objection: string | null | undefined) {
  if (length === 0 || (objection === undefined && length >= MIN_PASSWORD_LENGTH)) {
    return { level: 0, text: null };
  }
  if (length < MIN_PASSWORD_LENGTH) {
    return { level: 1, text: texts.charactersMissing(MIN_PASSWORD_LENGTH - length) };
  }
  if (objection !== null && objection !== undefined) return { level: 1, text: objection };
  return length < STRONG_LENGTH
    ? { level: 2, text: texts.passwordFair }
    : { level: 3, text: texts.passwordStrong };
}
