import type { Module } from '#server/module.ts';
import { valueCleanupRoutes } from './value-cleanup.routes.ts';

/** Values of one field that are nearly equal. */
export const valueCleanup: Module = (app) => {
  app.addCalls(valueCleanupRoutes());
};
