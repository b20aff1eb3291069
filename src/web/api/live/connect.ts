import { createHub, type FromHub, type ToHub } from './hub.ts';

type Hear = (message: FromHub) => void;
/** Tells the hub something. */
export type Tell = (message: ToHub) => void;

/**
 * Connects a tab, for as long as it is there, with the browser's one hub: in a shared worker; where there are
 * none, in one of the tabs, chosen by a lock that goes to another when that tab is closed.
 * @returns null where the browser has neither: there is nothing live then
 */
export function connectHub(hear: Hear): Tell | null {
  if ('SharedWorker' in globalThis) return connectWorker(hear);
  if ('locks' in navigator && 'BroadcastChannel' in globalThis) return connectTabs(hear);
  return null;
}

function connectWorker(hear: Hear): Tell {
  const { port } = new SharedWorker(new URL('./live.worker.ts', import.meta.url), {
    type: 'module',
    name: 'indexdesk-live',
  });
  let last: ToHub | undefined;
  const tell = (message: ToHub) => {
    last = message;
    port.postMessage(message);
  };
  port.addEventListener('message', ({ data }: MessageEvent<FromHub>) => hear(data));
  port.start();
  addEventListener('pagehide', () => port.postMessage('gone'));
  // Back by the browser's own button the page goes on as it was left.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted && last) tell(last);
  });
  return tell;
}

const NAME = 'indexdesk-live';
type Said =
  | { readonly to: 'hub'; readonly message: ToHub }
  | { readonly to: 'tabs'; readonly message: FromHub }
  /** a new hub asks who is there */
  | { readonly to: 'tabs'; readonly message: null };

function connectTabs(hear: Hear): Tell {
  const channel = new BroadcastChannel(NAME);
  let last: ToHub | undefined;
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- these have none
  const say = (said: Said) => channel.postMessage(said);
  channel.addEventListener('message', ({ data }: MessageEvent<Said>) => {
    if (data.to === 'hub') return;
    if (data.message) hear(data.message);
    else if (last) say({ to: 'hub', message: last });
  });
  void navigator.locks.request(NAME, holdHub);
  return (message) => {
    last = message;
    say({ to: 'hub', message });
  };
}

/** Holds the hub for all tabs, until this one goes. */
function holdHub(): Promise<never> {
  const channel = new BroadcastChannel(NAME);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- these have none
  const say = (said: Said) => channel.postMessage(said);
  const hub = createHub((message) => say({ to: 'tabs', message }));
  channel.addEventListener('message', ({ data }: MessageEvent<Said>) => {
    if (data.to === 'hub') hub.take(data.message);
  });
  say({ to: 'tabs', message: null });
  return new Promise(() => undefined);
}
