import { createHub, type FromHub, type ToHub } from './hub.ts';

/* Shared by all tabs of a browser, because browsers allow only six connections to a server: it has their single
   event connection. */

/** A tab that is killed sends no message; its port then receives unread messages. */
const tabs = new Set<MessagePort>();
const hub = createHub((message: FromHub) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- these have none
  for (const tab of tabs) tab.postMessage(message);
});

addEventListener('connect', (event) => {
  if (!(event instanceof MessageEvent)) return;
  const [tab] = event.ports;
  if (!tab) return;
  tab.addEventListener('message', ({ data }: MessageEvent<ToHub | 'closed'>) => {
    if (data === 'closed') {
      tabs.delete(tab);
      return;
    }
    tabs.add(tab);
    hub.receive(data);
  });
  tab.start();
});
