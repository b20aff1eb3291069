import type { Module } from '#server/module.ts';
import { deleteOldRemovals } from '../files/files.service.ts';
import { definitionRoutes } from './definitions.routes.ts';
import { misfitRoutes } from './misfits.routes.ts';
import { fieldUseRoutes } from './field-uses.routes.ts';
import { runIndexCompletion } from './index-completion.runner.ts';
import { runDefinitionJobs } from './definition-jobs.runner.ts';

/** The administration of archives and tables, and the jobs that change them. */
export const definitionChanges: Module = (app, services) => {
  const { database, definitions, files, housekeeping, jobWait } = services;
  const indexes = runIndexCompletion(database, app.log);
  app.addHook('onClose', () => indexes.close());
  const onChange = () => {
    definitions.invalidate();
    indexes.wake();
  };
  const runner = runDefinitionJobs({ database, files }, app.log, onChange, jobWait);
  app.addHook('onClose', () => runner.close());
  app.addCalls([...definitionRoutes(runner), ...misfitRoutes(), ...fieldUseRoutes()]);
  housekeeping.add(() => deleteOldRemovals(database), 'infrequent');
};
