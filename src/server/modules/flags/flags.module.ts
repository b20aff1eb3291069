import type { Module } from '#server/module.ts';
import { flagRoutes } from './flags.routes.ts';

/** Flags: revisions that a user has marked for later. */
export const flags: Module = (app) => {
  app.addCalls(flagRoutes());
};
