import type { Module } from '#server/module.ts';
import { queueRoutes } from './queues.routes.ts';

/** Queues of revisions that a clerk works through. */
export const queues: Module = (app, { definitions }) => {
  app.addCalls(queueRoutes(definitions));
};
