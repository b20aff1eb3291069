/** The account page, and setting up a second factor. */
import { plural } from './language.ts';
export const account = 'Account';
export const secondFactor = 'Second factor';
export const secondFactorHint =
  'A second factor protects your account if somebody else knows your password. A passkey also signs in without a password.';
export const factorsAt = (provider: string) =>
  `You have signed in with ${provider}, which asks for second factors itself. Set them up there.`;
export const password = 'Password';
export const passwordAt = (provider: string) =>
  `You have signed in with ${provider}. Change your password there.`;
export const sessions = 'Sessions';
export const sessionsHint =
  'Where you are signed in. End the sessions that you do not recognize, and then change your password.';
export const notRead = 'Your second factors could not be read';
export const sessionsNotRead = 'Your sessions could not be read';
export const none = 'No second factor is set up.';
export const kinds = { totp: 'Authenticator app', passkey: 'Passkey' };
export const name = 'Name';
export const added = (at: string) => `Added ${at}`;
export const lastUsed = (at: string) => `Last used ${at}`;
export const neverUsed = 'Never used';
export const remove = 'Remove';
export const removeNamed = (factor: string) => `Remove ${factor}`;
export const notRemoved = 'The second factor was not removed';
export const rename = 'Rename';
export const renameNamed = (factor: string) => `Rename ${factor}`;
export const notRenamed = 'The second factor was not renamed';
export const addApp = 'Set up an authenticator app';
export const addPasskey = 'Add a passkey';
export const newPasskey = (number: number) => (number === 1 ? 'Passkey' : `Passkey ${number}`);
export const noPasskeys =
  'This browser offers passkeys only over https, or on this computer, and not under an IP address.';
export const passkeyFailed = 'The passkey was not created. Try again.';
export const codesLeft = (count: number) =>
  plural(count, { one: '1 recovery code is left.', other: `${count} recovery codes are left.` });
export const newCodes = 'New recovery codes';
export const recoveryCodes = 'Recovery codes';
export const codesHint =
  'Each code works once, when you do not have your second factor. The codes are displayed only now: print them, or store them in a safe place.';
export const print = 'Print';
export const codesStored = 'I have stored the codes';
export const scan =
  'Scan the QR code with your authenticator app, or type the key into it. Then enter the code that it displays.';
export const qrCode = 'QR code for the authenticator app';
export const key = 'Key';
export const code = 'Code';
export const finish = 'Finish';
export const notSetUp = 'The second factor was not set up';
export const confirmFirst = 'To change second factors, first confirm your identity.';
export const confirmToEnd = 'To end other sessions, first confirm your identity.';
export const signInAgainWith = (provider: string) => `Sign in with ${provider} again`;
export const confirmByPasskey = 'Use a passkey';
export const confirmByPassword = 'Use your password';
export const confirmByCode = 'Use a code';
export const appCode = 'Code of your authenticator app';
export const appCodeHint = 'Or one of your recovery codes.';
export const recoveryCode = 'Recovery code';
export const passkeyNotAccepted = 'The passkey was not accepted. Try again.';
export const currentPassword = 'Current password';
export const showPassword = 'Show the password';
export const confirm = 'Confirm';
export const notConfirmed = 'This was not accepted';
export const thisSession = 'This session';
export const from = (address: string) => `From ${address}`;
export const since = (at: string) => `Since ${at}`;
export const lastSeen = (at: string) => `Last seen ${at}`;
export const unknownClient = 'Unknown program';
export const browserOn = ({ browser, system }: { browser: string; system: string }) =>
  `${browser} on ${system}`;
export const browsers = {
  edge: 'Edge',
  opera: 'Opera',
  firefox: 'Firefox',
  chrome: 'Chrome',
  safari: 'Safari',
};
export const systems = {
  windows: 'Windows',
  android: 'Android',
  ios: 'iOS',
  macos: 'macOS',
  chromeos: 'ChromeOS',
  linux: 'Linux',
};
export const end = 'End';
export const endNamed = (client: string) => `End the session of ${client}`;
export const endAll = 'End all other sessions';
export const noOtherSession = 'You have no other session.';
export const sessionNotEnded = 'The session was not ended';

export const token = 'Token';
export const tokens = 'Tokens';
export const tokensHint =
  'With a token, a program calls the service on your behalf. It never has more rights than you.';
export const collectionsNotRead = 'The archives and tables could not be read';
export const tokensNotRead = 'Your tokens could not be read';
export const noToken = 'You have no token.';
export const makeToken = 'Create a token';
export const tokenNotMade = 'The token was not created';
export const tokenNameHint = 'What it is for, such as the name of the program.';
export const enterTokenName = 'Enter a name.';
export const expiresOn = 'Expires at the end of';
export const enterExpiry = 'Enter a day.';
export const right = 'Right';
export const rightTexts = { read: 'Read', write: 'Write', manage: 'Manage' };
export const onlyArchives = 'Only these archives';
export const onlyTables = 'Only these tables';
export const onlyHint = 'Without a chosen archive or table, the token opens all that you can open.';
export const noArchive = 'There is no archive that you can open.';
export const noTable = 'There is no table that you can open.';
export const withAdministration = 'With administration';
export const withAdministrationHint =
  'The token also opens the calls for administrators and for your account.';
export const tokenHint =
  'The token is displayed only now. Store it where your program reads it, and give it to nobody else.';
export const tokenStored = 'I have stored the token';
export const tokenBegins = (prefix: string) => `${prefix}…`;
export const onlyOn = (count: number) =>
  plural(count, { one: 'On 1 archive or table', other: `On ${count} archives and tables` });
export const expires = (at: string) => `Expires ${at}`;
export const revoke = 'Revoke';
export const revokeNamed = (name: string) => `Revoke ${name}`;
export const revokeText = 'Programs that use this token cannot call the service any more.';
export const notRevoked = 'The token was not revoked';

export const languageAndFormats = 'Language and formats';
export const languageIs = 'The web admin is in English.';
export const formats = 'Numbers and dates';
export const formatsHint =
  'How this browser displays them, and how it reads what you type. Pages that you open from now on use the setting.';
export const asBrowser = (sample: string) => `As the browser: ${sample}`;
const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });
/** @param locale a BCP 47 tag */
export const formatsOf = ({ locale, sample }: { locale: string; sample: string }) =>
  `${languageNames.of(locale) ?? locale}: ${sample}`;
export const formatSample = ({ date, number }: { date: string; number: string }) =>
  `${date}, ${number}`;
