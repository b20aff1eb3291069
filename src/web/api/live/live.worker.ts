import { createHub, type FromHub, type ToHub } from './hub.ts';

/* Shared by all tabs of a browser: it holds their one connection, as browsers allow six to a server. */

/** A tab says nothing when it is closed by force; its port then takes what nobody reads. */
const tabs = new Set<MessagePort>();
const hub = createHub((message: FromHub) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- these have none
  for (const tab of tabs) tab.postMessage(message);
});

addEventListener('connect', (event) => {
  if (!(event instanceof MessageEvent)) return;
  const [tab] = event.ports;
  if (!tab) return;
  tab.addEventListener('message', ({ data }: MessageEvent<ToHub | 'gone'>) => {
    if (data === 'gone') {
      tabs.delete(tab);
      return;
    }
    tabs.add(tab);
    hub.take(data);
  });
  tab.start();
});
