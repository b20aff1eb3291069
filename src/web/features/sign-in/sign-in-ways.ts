import { apiPaths } from '#web/api/paths.ts';
import { settings } from '#web/api/settings.ts';

/** The hosts by which a browser reaches the machine on which it runs. */
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** How people sign in here. */
export function signInWays() {
  const { provider, passwordSignIn } = settings();
  return {
    /** the provider's name; '' where there is none */
    provider,
    // Where passwords are turned off, administrators still have theirs on the machine of the service.
    hasPassword: passwordSignIn || provider === '' || LOCAL_HOST.test(location.hostname),
  };
}

/** Where the browser signs in with the provider. @param next where to continue: a path of this origin */
export function providerAddress(next: string): string {
  return apiPaths.startProviderSignIn(next);
}
