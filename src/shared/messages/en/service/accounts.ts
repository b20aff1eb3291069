import { coded } from '#shared/messages/message.ts';
import { plural } from '../language.ts';
export const passwordTooShort = coded(
  'accounts.passwordTooShort',
  ({ min }: { min: number }) => `The password must have at least ${min} characters.`,
);
export const passwordTooLong = coded(
  'accounts.passwordTooLong',
  ({ max }: { max: number }) => `The password may have at most ${max} characters.`,
);
export const passwordIsUsername = coded(
  'accounts.passwordIsUsername',
  'The password must not be the user name.',
);
export const passwordTooCommon = coded(
  'accounts.passwordTooCommon',
  'The password is too common, or begins with a common one; choose another one.',
);
export const signInFirst = coded('accounts.signInFirst', 'Sign in first.');
export const noSession = coded('accounts.noSession', 'You have no session of this id.');
export const credentialsWrong = coded(
  'accounts.credentialsWrong',
  'The user name or the password is wrong.',
);
export const tooManyAttempts = coded(
  'accounts.tooManyAttempts',
  ({ seconds }: { seconds: number }) =>
    plural(seconds, {
      one: `There were too many failed attempts. Try again in ${seconds} second.`,
      other: `There were too many failed attempts. Try again in ${seconds} seconds.`,
    }),
);
export const usernameInvalid = coded(
  'accounts.usernameInvalid',
  ({ max }: { max: number }) =>
    `A user name has 1 to ${max} characters, no control characters, and neither begins nor ends with a blank.`,
);
export const usernameTaken = coded(
  'accounts.usernameTaken',
  ({ username }: { username: string }) => `There is already a user named ${username}.`,
);
