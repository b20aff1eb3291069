/** Signing in with the OpenID Connect provider: pages of errors, and calls about identities. */
import { coded } from '#shared/messages/message.ts';

export const pageTitle = 'Signing in failed';
export const signOutPageTitle = 'Signing out is not complete';
export const backToSignIn = 'Back to the sign-in page';
export const requestId = (id: string) => `Request ${id}`;

export const noProvider = coded(
  'oidc.noProvider',
  'Signing in with a provider is not set up here. Sign in with your password.',
);
export const providerUnreachable = coded(
  'oidc.providerUnreachable',
  ({ provider }: { provider: string }) =>
    `${provider} cannot be reached at the moment. Try again in a few minutes.`,
);
export const signedOutHereOnly = coded(
  'oidc.signedOutHereOnly',
  ({ provider }: { provider: string }) =>
    `You are signed out of Indexdesk. ${provider} cannot be reached, so you may still be signed in there: on a computer that others use, sign out there too, or close the browser.`,
);
export const providerWrong = coded(
  'oidc.providerWrong',
  ({ provider }: { provider: string }) =>
    `The answer of ${provider} is not valid, so nobody was signed in. Tell an administrator; the reason is in the log of the service.`,
);
export const clocksDiffer = coded(
  'oidc.clocksDiffer',
  ({ provider }: { provider: string }) =>
    `The clock of ${provider} and the clock of this server differ too much. Tell an administrator.`,
);
export const refusedByProvider = coded(
  'oidc.refusedByProvider',
  ({ provider, error }: { provider: string; error: string }) =>
    `${provider} has refused to sign you in (${error}). Sign in again, or ask an administrator.`,
);
export const stateUnknown = coded(
  'oidc.stateUnknown',
  'This sign-in was started in another browser, or longer than 10 minutes ago. Sign in again.',
);
export const stateUsed = coded(
  'oidc.stateUsed',
  'This address has been used to sign in already. Sign in again.',
);
export const codeUsed = coded(
  'oidc.codeUsed',
  ({ provider }: { provider: string }) =>
    `${provider} does not accept this sign-in: it has been used already, or it has expired. Sign in again.`,
);
export const claimMissing = coded(
  'oidc.claimMissing',
  ({ provider, claim }: { provider: string; claim: string }) =>
    `${provider} did not send ${claim}, which signing in needs. Tell an administrator.`,
);
export const claimNotEnough = coded(
  'oidc.claimNotEnough',
  ({ provider, claim }: { provider: string; claim: string }) =>
    `${provider} has signed you in, but not as Indexdesk demands (${claim}), such as with a second factor. Sign in again that way, or ask an administrator.`,
);
export const groupsMissing = coded(
  'oidc.groupsMissing',
  ({ provider }: { provider: string }) =>
    `${provider} did not send all of your groups, so your rights are not known. Tell an administrator: the provider has to send the groups that are assigned to Indexdesk, and no others.`,
);
export const usernameTaken = coded(
  'oidc.usernameTaken',
  ({ provider, username }: { provider: string; username: string }) =>
    `There is already a user named ${username}, who is not linked with ${provider}. If this is you, ask an administrator to link the user with your account.`,
);
export const usernameReserved = coded(
  'oidc.usernameReserved',
  ({ username }: { username: string }) =>
    `The user ${username} was deleted, and the name cannot be used again. Ask an administrator.`,
);
export const noUser = coded(
  'oidc.noUser',
  ({ username }: { username: string }) =>
    `There is no user ${username} here. Ask an administrator to add you.`,
);
export const userDisabled = coded(
  'oidc.userDisabled',
  ({ username }: { username: string }) => `The user ${username} is disabled. Ask an administrator.`,
);
export const logoutTokenInvalid = coded(
  'oidc.logoutTokenInvalid',
  ({ reason }: { reason: string }) => `The logout token is not valid: ${reason}.`,
);
/** reasons */
export const logoutToken = {
  noSubject: 'sub or sid is missing',
  noKeys: 'the provider names no keys',
  otherType: 'its type is not logout+jwt',
};
export const logoutTokenMissing = coded(
  'oidc.logoutTokenMissing',
  'The body needs a logout_token.',
);
export const logoutTokenUsed = coded(
  'oidc.logoutTokenUsed',
  'The logout token has been used already.',
);
export const identityTaken = coded(
  'oidc.identityTaken',
  'Another user is linked with this account. Remove that link first.',
);
export const alreadyLinked = coded(
  'oidc.alreadyLinked',
  ({ username }: { username: string }) =>
    `The user ${username} is linked with another account. Remove that link first.`,
);
export const notLinked = coded('oidc.notLinked', 'The user is not linked with an account.');
export const issuerMissing = coded('oidc.issuerMissing', 'Name the issuer: no provider is set up.');
