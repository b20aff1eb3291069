import { followEvents } from './event-stream.ts';

/** A tab's message to the hub: its signed-in user (null: none), and the address of the events. */
export interface ToHub {
  readonly user: string | null;
  readonly url: string;
  /** the last event that the tab's data includes; null: unknown */
  readonly since: string | null;
}

/** The hub's message to all tabs; each handles only messages for its user. */
export type FromHub =
  /**
   * whether events after the event `at` are reported from now on or soon, or not at present, or never; `signed-out`: the
   * session has ended, too
   */
  | {
      readonly user: string;
      readonly kind: 'open' | 'starting' | 'lost' | 'signed-out' | 'off';
      readonly at: string | null;
    }
  /** the data of `changed` events up to the event `at`, unchanged */
  | {
      readonly user: string;
      readonly kind: 'changed';
      readonly data: readonly string[];
      readonly at: string | null;
    }
  /** the data of a `viewers` event */
  | { readonly user: string; readonly kind: 'viewers'; readonly data: string };

/** Changes within this time are reported together, in milliseconds. */
const BATCH_WINDOW = 30;

/**
 * The browser's only connection to the service's events. It stays open while a user is signed in, and resumes at the
 * last position when the same user signs in again.
 */
export function createHub(sendToTabs: (message: FromHub) => void) {
  let user: string | null = null;
  let since: string | null = null;
  let state: 'open' | 'starting' | 'lost' | 'off' = 'starting';
  let running: AbortController | undefined;
  let pending: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const data = pending;
    pending = [];
    if (user !== null && data.length > 0) sendToTabs({ user, kind: 'changed', data, at: since });
  };
  const setState = (next: typeof state) => {
    flush();
    state = next;
    if (user !== null) sendToTabs({ user, kind: next, at: since });
  };
  const run = async (url: string) => {
    const controller = new AbortController();
    running = controller;
    const ended = await followEvents({
      url,
      since,
      signal: controller.signal,
      onOpen: () => setState('open'),
      onLost: () => setState('lost'),
      onEvents(events, lastId) {
        since = lastId;
        for (const { type, data } of events) {
          if (type === 'changed') pending.push(data);
          else if (type === 'viewers' && user !== null) sendToTabs({ user, kind: 'viewers', data });
        }
        timer ??= setTimeout(flush, BATCH_WINDOW);
      },
    });
    if (running !== controller) return;
    // Restarts when a user has signed in again.
    running = undefined;
    setState(ended === 'none' ? 'off' : 'lost');
    if (ended === 'signed-out' && user !== null) sendToTabs({ user, kind: ended, at: since });
  };

  return {
    receive(message: ToHub): void {
      if (message.user !== user) {
        running?.abort();
        running = undefined;
        setState('lost');
        state = 'starting';
        since = null;
        user = message.user;
      }
      if (user === null) return;
      if (running) return sendToTabs({ user, kind: state, at: since });
      since ??= message.since;
      void run(message.url);
    },
  };
}
