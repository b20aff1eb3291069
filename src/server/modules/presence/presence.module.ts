import type { Module } from '#server/module.ts';
import { presenceRoutes } from './presence.routes.ts';

/** Who has which record open. */
export const presence: Module = (app, { liveUpdates }) => {
  app.addCalls(presenceRoutes(liveUpdates.presence));
};
