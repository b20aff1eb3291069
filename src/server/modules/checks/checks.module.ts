import type { Module } from '#server/module.ts';
import { checkRoutes } from './checks.routes.ts';
import { extractTexts } from '../page-texts/text-extraction.runner.ts';
import { countChecks } from './counting.runner.ts';
import { recordToday } from './daily-counts.ts';
import { figureRoutes } from './figures.routes.ts';

/** Checks: problems in the records of archives and tables. */
export const checks: Module = (
  app,
  { config, database, definitions, files, housekeeping, sequencer },
) => {
  const extraction = extractTexts(database, files, app.log, () => counting.wake());
  const counting = countChecks(database, definitions, app.log, () => extraction.wake());
  sequencer.onSequenced(() => counting.wake());
  app.addHook('onClose', () => Promise.all([extraction.close(), counting.close()]));
  app.addCalls(checkRoutes(definitions));
  app.addCalls(figureRoutes(config));
  housekeeping.add(() => recordToday(database, definitions), 'infrequent');
};
