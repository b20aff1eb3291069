import { settings } from '#web/api/settings.ts';

/** Hosts by which a browser reaches its own machine. */
const LOCAL_HOST = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** The available sign-in methods. */
export function signInWays() {
  const { provider, passwordSignIn } = settings();
  return {
    /** the provider's name; '' if there is none */
    provider,
    // If passwords are disabled, administrators can still use theirs on the machine of the service.
    hasPassword: passwordSignIn || provider === '' || LOCAL_HOST.test(location.hostname),
  };
}
