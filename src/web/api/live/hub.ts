import { followEvents } from './event-stream.ts';

/** What a tab tells the hub: who is signed in there (null: nobody any more), and where the events are. */
export interface ToHub {
  readonly user: string | null;
  readonly url: string;
}

/** What the hub tells all tabs; each listens to what is said for its user. */
export type FromHub =
  | { readonly user: string; readonly kind: 'open' }
  /** what happens is not heard at present, or never */
  | { readonly user: string; readonly kind: 'lost' | 'off' }
  /** the data of `changed` events, as they came */
  | { readonly user: string; readonly kind: 'changed'; readonly data: readonly string[] }
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
  let state: 'open' | 'lost' | 'off' = 'lost';
  let running: AbortController | undefined;
  let pending: string[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const data = pending;
    pending = [];
    if (user !== null && data.length > 0) tell({ user, kind: 'changed', data });
  };
  const setState = (next: typeof state) => {
    flush();
    state = next;
    if (user !== null) tell({ user, kind: next });
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
        since = null;
        user = message.user;
      }
      if (user === null) return;
      if (running) tell({ user, kind: state });
      else void run(message.url);
    },
  };
}
