import { followEvents } from './event-stream.ts';

/** What a tab tells the hub: who is signed in there (null: nobody any more), and where the events are. */
export interface ToHub {
  readonly user: string | null;
  readonly url: string;
  /** the event up to which the tab knows of all that happened; null: it cannot say */
  readonly since: string | null;
}

/** What the hub tells all tabs; each listens to what is said for its user. */
export type FromHub =
  /** what happens after the event `at` is told from now on, or soon; or is not heard at present, or never */
  | {
      readonly user: string;
      readonly kind: 'open' | 'starting' | 'lost' | 'off';
      readonly at: string | null;
    }
  /** the data of `changed` events up to the event `at`, as they came */
  | {
      readonly user: string;
      readonly kind: 'changed';
      readonly data: readonly string[];
      readonly at: string | null;
    }
  /** the data of a `viewers` event */
  | { readonly user: string; readonly kind: 'viewers'; readonly data: string };

/** Changes that come close together are told together, in milliseconds. */
const TOGETHER = 30;

/**
 * The one connection of a browser to the service's events. It goes on for as long as somebody is signed in,
 * and from where it was when the same user signs in again.
 */
export function createHub(tell: (message: FromHub) => void) {
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
    if (user !== null && data.length > 0) tell({ user, kind: 'changed', data, at: since });
  };
  const setState = (next: typeof state) => {
    flush();
    state = next;
    if (user !== null) tell({ user, kind: next, at: since });
  };
  const run = async (url: string) => {
    const own = new AbortController();
    running = own;
    const ended = await followEvents({
      url,
      since,
      signal: own.signal,
      onOpen: () => setState('open'),
      onLost: () => setState('lost'),
      onEvents(events, lastId) {
        since = lastId;
        for (const { type, data } of events) {
          if (type === 'changed') pending.push(data);
          else if (type === 'viewers' && user !== null) tell({ user, kind: 'viewers', data });
        }
        timer ??= setTimeout(flush, TOGETHER);
      },
    });
    if (running !== own) return;
    // Goes on when somebody has signed in again.
    running = undefined;
    setState(ended === 'none' ? 'off' : 'lost');
  };

  return {
    take(message: ToHub): void {
      if (message.user !== user) {
        running?.abort();
        running = undefined;
        setState('lost');
        state = 'starting';
        since = null;
        user = message.user;
      }
      if (user === null) return;
      if (running) return tell({ user, kind: state, at: since });
      since ??= message.since;
      void run(message.url);
    },
  };
}
