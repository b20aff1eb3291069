import * as cliTexts from '#messages/service/cli.ts';
import { withDatabase } from './with-database.ts';
import { openFileStore } from '#server/modules/files/open-file-store.ts';
import type { Database } from '#server/database/database.ts';
import { sequenceAllEntries } from '#server/modules/history/history.service.ts';
import { loadDefinition, type LoadOptions } from '#server/modules/loading/loading.service.ts';
import type { LoadReport } from '#server/modules/loading/load-report.ts';
import { readArguments, readOptions, takeOptionalValue, type Command } from './arguments.ts';
import { progressReport } from './console.ts';

/** `load FILE`: loads a definition file. @returns the exit code */
export const load: Command = async (args, environment, console) => {
  const { value, rest } = takeOptionalValue(
    args,
    'skip-bad-rows',
    (others) => readOptions(others, environment).positionals.length > 0,
  );
  const { config, positionals } = readArguments(rest, environment, ['FILE']);
  const [file = ''] = positionals;
  const skipBadRows = skipOption(value, environment['INDEXDESK_SKIP_BAD_ROWS']);
  return withDatabase(config, 'upgrade', async (database) => {
    const report = progressReport(console, process.stderr);
    const options = { skipBadRows, timeZone: config.timeZone };
    const files = openFileStore(config);
    await files.check();
    const { complete, collections } = await loadDefinition(database, files, file, options, report);
    await sequence(database, report);
    return complete && collections.every(({ bad }) => bad === 0) ? 0 : 1;
  });
};

/** Sequences the entries now, so that a service that starts next need not do it. */
async function sequence(database: Database, report: LoadReport): Promise<void> {
  let sequenced = 0;
  await sequenceAllEntries(database, (entries) => {
    sequenced += entries;
    report.progress(cliTexts.sequencingHistory(sequenced));
  });
}

function skipOption(
  flag: string | null | undefined,
  variable: string | undefined,
): LoadOptions['skipBadRows'] {
  if (flag !== undefined) return { path: flag };
  switch (variable) {
    case undefined:
    case '':
    case '0':
    case 'false':
      return null;
    case '1':
    case 'true':
      return { path: null };
    default:
      return { path: variable };
  }
}
