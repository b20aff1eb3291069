import type { Module } from '#server/module.ts';
import { collectionRoutes } from './collections.routes.ts';

/** Which archives and tables there are for a user. */
export const collections: Module = (app, { definitions }) => {
  app.addCalls(collectionRoutes(definitions));
};
