import type { Module } from '#server/module.ts';
import { openMetricSamples } from './metric-samples.ts';
import { systemRoutes } from './system.routes.ts';
import { runSystemJobs } from './system-jobs.runner.ts';
import { systemJobRoutes } from './system-jobs.routes.ts';
import { measureToday } from './system.service.ts';

/** What administrators see of the installation. */
export const system: Module = (app, { config, database, definitions, housekeeping }) => {
  housekeeping.add(() => measureToday(database, definitions), 'seldom');
  const jobs = runSystemJobs(database, config, app.log);
  app.addHook('onClose', () => jobs.close());
  app.addCalls(systemJobRoutes(database, config.dataDir, jobs));
  app.addCalls(systemRoutes(definitions, config, openMetricSamples(app, database)));
};
