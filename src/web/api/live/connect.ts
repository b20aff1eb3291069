import { createHub, type FromHub, type ToHub } from './hub.ts';

type Hear = (message: FromHub) => void;
/** What this tab has to tell the hub at present. */
type Here = () => ToHub;
/** Tells the hub that. */
type Tell = () => void;

/**
 * Connects a tab, for as long as it is there, with the browser's one hub: in a shared worker; where there are
 * none, in one of the tabs, chosen by a lock that goes to another when that tab is closed.
 * @returns null where the browser has neither: there is nothing live then
 */
export function connectHub(hear: Hear, here: Here): Tell | null {
  if ('SharedWorker' in globalThis) return connectWorker(hear, here);
  if ('locks' in navigator && 'BroadcastChannel' in globalThis) return connectTabs(hear, here);
  return null;
}

function connectWorker(hear: Hear, here: Here): Tell {
  const { port } = new SharedWorker(new URL('./live.worker.ts', import.meta.url), {
    type: 'module',
    name: 'indexdesk-live',
  });
  const tell = () => port.postMessage(here());
  port.addEventListener('message', ({ data }: MessageEvent<FromHub>) => hear(data));
  port.start();
  addEventListener('pagehide', () => port.postMessage('gone'));
  // Back by the browser's own button the page goes on as it was left.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) tell();
  });
  return tell;
}

const NAME = 'indexdesk-live';
type Said =
  | { readonly to: 'hub'; readonly message: ToHub }
  | { readonly to: 'tabs'; readonly message: FromHub }
  /** a new hub asks who is there */
  | { readonly to: 'tabs'; readonly message: null };

function connectTabs(hear: Hear, here: Here): Tell {
  const channel = new BroadcastChannel(NAME);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- these have none
  const say = (said: Said) => channel.postMessage(said);
  channel.addEventListener('message', ({ data }: MessageEvent<Said>) => {
    if (data.to === 'hub') return;
    if (data.message) hear(data.message);
    else tell();
  });
  const tell = () => say({ to: 'hub', message: here() });
  void navigator.locks.request(NAME, holdHub);
  return tell;
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
