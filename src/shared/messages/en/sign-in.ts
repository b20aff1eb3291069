/** The sign-in screen, and signing in again. */
import { plural } from './language.ts';
export const sessionEnded = 'Your session has ended';
export const otherSignedIn = (other: string) => `${other} is signed in now`;
export const signInAgain = 'Sign in again to continue. Everything you typed is still here.';
export const signInAgainAfterOther = (other: string) =>
  `${other} has signed in in another tab of this browser. Your last change is not saved yet. Everything you typed is still here: sign in again to save it.`;
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
export const signIn = 'Sign in';
export const userName = 'User name';
export const password = 'Password';
export const title = 'Sign in to Indexdesk';
