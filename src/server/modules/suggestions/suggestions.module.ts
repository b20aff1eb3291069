import type { Module } from '#server/module.ts';
import { suggestionRoutes } from './suggestions.routes.ts';

/** Values that a clerk may want to type. */
export const suggestions: Module = (app) => {
  app.addCalls(suggestionRoutes());
};
