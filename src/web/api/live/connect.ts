import { createHub, type FromHub, type ToHub } from './hub.ts';

type Hear = (message: FromHub) => void;
/** Returns the present state of this tab for the hub. */
type Here = () => ToHub;
/** Sends that state to the hub. */
type Tell = () => void;

/**
 * Connects a tab for its lifetime with the browser's single hub, which runs in a shared worker or, if there are none,
 * in one of the tabs, chosen by a lock that passes to another tab when that one is closed.
 * @returns null if the browser supports neither: there are no live updates then
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
  // After the browser's Back button a page may resume from the page cache.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) tell();
  });
  return tell;
}

const NAME = 'indexdesk-live';
type Said =
  | { readonly to: 'hub'; readonly message: ToHub }
  | { readonly to: 'tabs'; readonly message: FromHub }
  /** a new hub asks all tabs for their state */
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

/** Runs the hub for all tabs until this one is closed. */
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
