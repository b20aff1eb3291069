import type { Module } from '#server/module.ts';
import { groupRoutes } from './groups.routes.ts';

/** Groups of users, with rights. */
export const groups: Module = (app, { definitions }) => {
  app.addCalls(groupRoutes(definitions));
};
