import type { FromHub, ToHub } from './hub.ts';

type ReceiveMessage = (message: FromHub) => void;
/** Returns the present state of this tab for the hub. */
type GetTabState = () => ToHub;
/** Sends that state to the hub. */
type SendTabState = () => void;

/**
 * Connects a tab for its lifetime with the browser's single hub, which runs in a shared worker or, if there are none,
 * in one of the tabs, chosen by a lock that passes to another tab when that one is closed.
 * @returns null if the browser supports neither: there are no live updates then
 */
export function connectHub(receive: ReceiveMessage, getTabState: GetTabState): SendTabState | null {
  if ('SharedWorker' in globalThis) return connectWorker(receive, getTabState);
  if ('locks' in navigator && 'BroadcastChannel' in globalThis)
    return connectTabs(receive, getTabState);
  return null;
}

function connectWorker(receive: ReceiveMessage, getTabState: GetTabState): SendTabState {
  const { port } = new SharedWorker(new URL('./live.worker.ts', import.meta.url), {
    type: 'module',
    name: 'indexdesk-live',
  });
  const sendTabState = () => port.postMessage(getTabState());
  port.addEventListener('message', ({ data }: MessageEvent<FromHub>) => receive(data));
  port.start();
  addEventListener('pagehide', () => port.postMessage('closed'));
  // After the browser's Back button a page may resume from the page cache.
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) sendTabState();
  });
  return sendTabState;
}

const NAME = 'indexdesk-live';
type ChannelMessage =
  | { readonly to: 'hub'; readonly message: ToHub }
  | { readonly to: 'tabs'; readonly message: FromHub }
  /** a new hub requests the state of all tabs */
  | { readonly to: 'tabs'; readonly message: null };

function connectTabs(receive: ReceiveMessage, getTabState: GetTabState): SendTabState {
  const send = openChannel((data) => {
    if (data.to === 'hub') return;
    if (data.message) receive(data.message);
    else sendTabState();
  });
  const sendTabState = () => send({ to: 'hub', message: getTabState() });
  // If its code cannot be loaded, the next tab tries.
  navigator.locks.request(NAME, runHub).catch(() => undefined);
  return sendTabState;
}

/** Runs the hub for all tabs until this one is closed. Its code is loaded here, as few browsers lack shared workers. */
async function runHub(): Promise<never> {
  const { createHub } = await import('./hub.ts');
  const send = openChannel((data) => {
    if (data.to === 'hub') hub.receive(data.message);
  });
  const hub = createHub((message) => send({ to: 'tabs', message }));
  send({ to: 'tabs', message: null });
  return new Promise(() => undefined);
}

/** @returns sends a message to the other users of the channel */
function openChannel(receive: (data: ChannelMessage) => void) {
  const channel = new BroadcastChannel(NAME);
  channel.addEventListener('message', ({ data }: MessageEvent<ChannelMessage>) => receive(data));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- these have none
  return (message: ChannelMessage) => channel.postMessage(message);
}
