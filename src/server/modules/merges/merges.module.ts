import type { Module } from '#server/module.ts';
import { mergeRoutes } from './merges.routes.ts';

/** Merges of duplicate records of data tables. */
export const merges: Module = (app, { definitions }) => {
  app.addCalls(mergeRoutes(definitions));
};
