import { createStore } from './create-store.ts';
import { whenStore } from './when-store.ts';

/**
 * The gate for all calls: when a session ends while a user works, calls wait here until the same user has signed in
 * again in the dialog over the page, and are then repeated. Nothing is unmounted meanwhile.
 */
type GateState =
  | { readonly is: 'open' }
  /** calls are waiting for this user */
  | {
      readonly is: 'closed';
      readonly username: string;
      /** the display name of another user who has meanwhile signed in in another tab; null: the session has ended */
      readonly other: string | null;
    };

/** The session in which this page was opened, or that has replaced it for the same user. */
interface PageSession {
  readonly username: string;
  readonly sessionId: string;
}

const state = createStore<GateState>({ is: 'open' });
let session: PageSession | null = null;

export const sessionGate = {
  get: state.get,
  subscribe: state.subscribe,

  /** Sets the signed-in user, so that a later 401 means that the session has ended; null: nobody. */
  signedInAs(next: PageSession | null): void {
    session = next && { username: next.username, sessionId: next.sessionId };
    state.set({ is: 'open' });
  },

  /** The session of this page's writes; null: nobody is signed in. */
  sessionId: (): string | null => session?.sessionId ?? null,

  /**
   * Adopts the session of the cookie if it belongs to the same user, who has signed in again in another tab.
   * @returns whether it is the same user's
   */
  adopt(current: PageSession): boolean {
    if (current.username !== session?.username) return false;
    sessionGate.signedInAs(current);
    return true;
  },

  /**
   * Sets who is signed in in the browser while calls wait.
   * @param other the display name of the user who is signed in instead; null: nobody
   */
  setOther(other: string | null): void {
    const current = state.get();
    if (current.is === 'closed' && current.other !== other) state.set({ ...current, other });
  },

  /**
   * Waits until the user has signed in again.
   * @param other the display name of the user who is signed in instead
   * @returns false if nobody was signed in or the user cancelled, so that the error is shown
   */
  async pass(signal?: AbortSignal, other: string | null = null): Promise<boolean> {
    if (session === null) return false;
    state.set({ is: 'closed', username: session.username, other });
    await whenStore(state, ({ is }) => is === 'open', signal);
    return sessionGate.sessionId() !== null;
  },
};
