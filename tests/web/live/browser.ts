import { BroadcastChannel, locks } from 'node:worker_threads';
import { onTestFinished } from 'vitest';
import type { RenderOptions } from '#tests/support/render-app.tsx';
import { changedEventSchema } from '#shared/contract/events.ts';
import { eventServer } from './event-source.ts';

/** The service's events, and the network through which a page of the test gets them. */
export async function liveNetwork() {
  // As a browser without shared workers has them: one tab holds the stream for all.
  const before = {
    locks: Reflect.get(navigator, 'locks'),
    BroadcastChannel: globalThis.BroadcastChannel,
  };
  Object.defineProperty(navigator, 'locks', { configurable: true, value: locks });
  Reflect.set(globalThis, 'BroadcastChannel', BroadcastChannel);
  onTestFinished(() => {
    if (!before.locks) Reflect.deleteProperty(navigator, 'locks');
    if (!before.BroadcastChannel) Reflect.deleteProperty(globalThis, 'BroadcastChannel');
  });
  const server = await eventServer();
  let position = 0;
  const network: RenderOptions['network'] = (service) => service.eventsFrom(server.url);
  return {
    server,
    network,
    /** tells all pages of a change */
    tell(
      event: { readonly id: string; readonly user: string } & (
        | { readonly archive: string }
        | { readonly table: string }
      ),
    ): void {
      const at = new Date().toISOString();
      server.emit(++position, changedEventSchema.parse({ ...event, at }));
    },
  };
}
