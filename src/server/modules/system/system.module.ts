import type { Module } from '#server/module.ts';
import { openMetricSamples } from './metric-samples.ts';
import { systemRoutes } from './system.routes.ts';
import { runSystemJobs } from './system-jobs.runner.ts';
import { systemJobRoutes } from './system-jobs.routes.ts';
import { measureToday } from './system.service.ts';

/** What administrators see of the installation. */
export const system: Module = (
  app,
  { config, database, definitions, housekeeping, metrics, scanner },
) => {
  housekeeping.add(() => measureToday(database, definitions), 'infrequent');
  const jobs = runSystemJobs(database, config, app.log);
  app.addHook('onClose', () => jobs.close());
  app.addCalls(systemJobRoutes(database, config.dataDir, jobs));
  if (scanner) {
    housekeeping.add(() => scanner.check());
    app.addHook('onReady', async () => {
      await scanner.check();
      const { problem } = scanner.state;
      if (problem !== null) app.log.warn({ problem }, 'the malware scanner fails');
    });
    metrics.gauge(
      {
        name: 'indexdesk_malware_scanner_up',
        help: 'Whether the malware scanner answers; while it does not, files cannot be uploaded.',
      },
      () => (scanner.state.problem === null ? 1 : 0),
    );
  }
  app.addCalls(systemRoutes(definitions, config, openMetricSamples(app, database), scanner));
};
