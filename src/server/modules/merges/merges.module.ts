import type { Module } from '#server/module.ts';
import { mergeRoutes } from './merges.routes.ts';

/** Merges of records of data tables that are the same thing. */
export const merges: Module = (app, { definitions }) => {
  app.addCalls(mergeRoutes(definitions));
};
