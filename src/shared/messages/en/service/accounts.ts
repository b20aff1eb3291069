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
export const passwordUnchanged = coded(
  'accounts.passwordUnchanged',
  'Choose a password that differs from the generated one.',
);
export const signInFirst = coded('accounts.signInFirst', 'Sign in first.');
export const noSession = coded('accounts.noSession', 'You have no session with this id.');
export const credentialsWrong = coded(
  'accounts.credentialsWrong',
  'The user name or the password is wrong.',
);
export const oneTimePasswordEnded = coded(
  'accounts.oneTimePasswordEnded',
  'This one-time password has expired. Ask an administrator for a new one.',
);
export const passwordsOff = coded(
  'accounts.passwordsOff',
  'Signing in with a password is turned off. Sign in with the provider that the sign-in page names.',
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
    `A user name has 1 to ${max} characters, no control characters, and neither begins nor ends with a space.`,
);
export const usernameTaken = coded(
  'accounts.usernameTaken',
  ({ username }: { username: string }) => `There is already a user named ${username}.`,
);
export const ownKeyOnly = coded('accounts.ownKeyOnly', 'You can read only your own key.');
export const ownPasswordOnly = coded(
  'accounts.ownPasswordOnly',
  'You can change only your own password.',
);
export const currentPasswordWrong = coded(
  'accounts.currentPasswordWrong',
  'This is not your current password.',
);
export const tooManySignIns = coded(
  'accounts.tooManySignIns',
  'Too many people are signing in at this moment. Try again in a few seconds.',
);
