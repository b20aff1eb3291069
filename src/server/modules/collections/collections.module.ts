import type { Module } from '#server/module.ts';
import { collectionRoutes } from './collections.routes.ts';

/** The archives and tables of a user. */
export const collections: Module = (app, { definitions }) => {
  app.addCalls(collectionRoutes(definitions));
};
