import { coded } from '#shared/messages/message.ts';

export const notBase64url = 'must be text in base64url';
export const notATransport = 'must be the name of a transport';
export const required = coded(
  'factors.required',
  'The password is right. Now enter the code of your authenticator app, or use your passkey.',
);
export const codeWrong = coded(
  'factors.codeWrong',
  'This code is wrong or has expired. Enter the code that your authenticator app displays now.',
);
export const codeUsed = coded(
  'factors.codeUsed',
  'This code was used already. Wait for the next one.',
);
export const passkeyWrong = coded(
  'factors.passkeyWrong',
  'This passkey is unknown. Use another one.',
);
export const challengeExpired = coded(
  'factors.challengeExpired',
  'This step has expired, or was already completed. Start again.',
);
export const enrolmentRequired = coded(
  'factors.enrolmentRequired',
  'Set up a second factor first.',
);
export const confirmationRequired = coded(
  'factors.confirmationRequired',
  'Enter your password, or use a second factor, to confirm that it is you.',
);
export const byProvider = coded(
  'factors.byProvider',
  ({ provider }: { provider: string }) =>
    `You have signed in with ${provider}, which asks for second factors itself. Set them up there.`,
);
export const passwordWrong = coded('factors.passwordWrong', 'This is not your password.');
export const passwordNotEnough = coded(
  'factors.passwordNotEnough',
  'This account needs a second factor. Sign in, and create a token on the page Account.',
);
export const ownOnly = coded('factors.ownOnly', 'You can manage only your own second factors.');
export const totpExists = coded(
  'factors.totpExists',
  'You have an authenticator app already. Remove it first.',
);
export const tooManyPasskeys = coded(
  'factors.tooManyPasskeys',
  ({ max }: { max: number }) => `You can have at most ${max} passkeys. Remove one first.`,
);
export const passkeyExists = coded('factors.passkeyExists', 'This passkey is set up already.');
export const passkeyInvalid = coded(
  'factors.passkeyInvalid',
  'The passkey was not created for this service. Start again.',
);
export const none = coded('factors.none', 'You have no second factor with this id.');
export const noneForCodes = coded(
  'factors.noneForCodes',
  'Set up an authenticator app or a passkey first.',
);
export const authenticatorApp = 'Authenticator app';
export const passkey = 'Passkey';
