import type { Module } from '#server/module.ts';
import { eventRoutes } from './events.routes.ts';

/** Event streams of changes. */
export const events: Module = (app, { liveUpdates: { events }, metrics }) => {
  metrics.gauge(
    { name: 'indexdesk_event_clients', help: 'Clients that receive events.' },
    () => events.clients,
  );
  app.addCalls(eventRoutes(events));
};
