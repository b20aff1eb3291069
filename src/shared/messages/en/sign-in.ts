/** The sign-in screen, and signing in again. */
import { plural } from './language.ts';
export const chooseOwnPassword = 'Choose your own password';
export const passwordWasGenerated =
  'Your password was generated for the first sign-in. Choose one of your own to continue.';
export const sessionEnded = 'Your session has ended';
export const otherSignedIn = (other: string) => `${other} is signed in now`;
export const signInAgain = 'Sign in again to continue. Everything you typed is still here.';
export const signInAgainAfterOther = (other: string) =>
  `${other} has signed in on another tab of this browser. Your last change is not saved yet. Everything you typed is still here: sign in again to save it.`;
export const leaveWithoutSaving = 'Leave without saving';
export const continueAs = (other: string) => `Continue as ${other}`;
export const unreachable = 'The server cannot be reached. Check the connection and try again.';
export const credentialsWrong = 'The user name or the password is wrong.';
export const waitSeconds = (secondsLeft: number) =>
  plural(secondsLeft, {
    one: `Too many attempts. Wait ${secondsLeft} second, then try again.`,
    other: `Too many attempts. Wait ${secondsLeft} seconds, then try again.`,
  });
export const tryAgainNow = 'There were too many attempts. You can try again now.';
export const serverBusy = 'The server is busy or starting. Try again in a moment.';
export const failed = 'Signing in failed';
export const signInWith = (provider: string) => `Sign in with ${provider}`;
export const signInInNewTab =
  'The sign-in page opens in a new tab. Then return to this tab to continue.';
export const signIn = 'Sign in';
export const userName = 'User name';
export const password = 'Password';
export const code = 'Code of your authenticator app';
export const codeHint = 'Six digits. A recovery code works too.';
export const recoveryCode = 'Recovery code';
export const passkeyButton = 'Use a passkey';
export const startAgain = 'Start again';
export const passkeyFailed = 'The passkey was not used. Try again, or sign in in another way.';
export const setUpFactor = 'Set up a second factor';
export const factorDemanded =
  'Your account needs a second factor. Set one up to continue: an authenticator app or a passkey.';
export const title = 'Sign in to Indexdesk';
