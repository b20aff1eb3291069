import type { Module } from '#server/module.ts';
import { suggestionRoutes } from './suggestions.routes.ts';

/** Suggestions of values while a clerk types. */
export const suggestions: Module = (app) => {
  app.addCalls(suggestionRoutes());
};
