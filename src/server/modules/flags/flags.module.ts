import type { Module } from '#server/module.ts';
import { flagRoutes } from './flags.routes.ts';

/** Revisions that a user has put aside for later. */
export const flags: Module = (app) => {
  app.addCalls(flagRoutes());
};
