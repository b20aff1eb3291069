import type { Module } from '#server/module.ts';
import { bulkEditRoutes } from './bulk-edits.routes.ts';
import { runBulkEdits } from './bulk-edits.runner.ts';

/** Batches, which are bulk edits, imports and pastes: their plans, and the jobs that apply and revert them. */
export const bulkEdits: Module = (app, { database, definitions }) => {
  const runner = runBulkEdits(database, definitions, app.log);
  app.addHook('onClose', () => runner.close());
  app.addCalls(bulkEditRoutes(runner));
};
