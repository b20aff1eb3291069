import { watched } from './watched.ts';

/**
 * The gate before the service: when a session ends while somebody works, calls wait here until the
 * same user has signed in again over the page, and are then repeated. Nothing unmounts meanwhile.
 */
type GateState =
  | { readonly is: 'open' }
  /** calls are waiting for this user */
  | { readonly is: 'closed'; readonly username: string };

const state = watched<GateState>({ is: 'open' });
let username: string | null = null;
let waiting: PromiseWithResolvers<boolean> | undefined;

export const sessionGate = {
  get: state.get,
  subscribe: state.subscribe,

  /** Says who is signed in now, so that a later 401 means that the session ended; null: nobody. */
  signedInAs(user: string | null): void {
    username = user;
    release(user !== null);
  },

  /**
   * Waits until the user has signed in again.
   * @returns false where nobody was signed in or the user gave up, so that the 401 stands
   */
  async pass(signal?: AbortSignal): Promise<boolean> {
    if (username === null) return false;
    waiting ??= Promise.withResolvers<boolean>();
    state.set({ is: 'closed', username });
    const passed = waiting.promise;
    if (!signal) return passed;
    const aborted = Promise.withResolvers<never>();
    const abort = () => aborted.reject(signal.reason);
    signal.addEventListener('abort', abort);
    try {
      return await Promise.race([passed, aborted.promise]);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  },
};

function release(passed: boolean): void {
  const released = waiting;
  waiting = undefined;
  state.set({ is: 'open' });
  released?.resolve(passed);
}
