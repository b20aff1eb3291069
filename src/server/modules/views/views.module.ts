import type { Module } from '#server/module.ts';
import { viewRoutes } from './views.routes.ts';

/** Saved views of lists. */
export const views: Module = (app) => {
  app.addCalls(viewRoutes());
};
