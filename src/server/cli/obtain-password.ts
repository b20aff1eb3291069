import { generatePassword } from '#server/modules/passwords/generated-passwords.ts';
import type { Environment } from './arguments.ts';

export interface NewPassword {
  readonly password: string;
  /** then it is printed, and has to be changed at the first sign-in */
  readonly generated: boolean;
}

/** The password for a user: from the environment, else a one-time password. */
export function obtainPassword(environment: Environment): NewPassword {
  const given = environment['INDEXDESK_USER_PASSWORD'];
  return given !== undefined && given !== ''
    ? { password: given, generated: false }
    : { password: generatePassword(), generated: true };
}
