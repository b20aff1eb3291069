import { withDatabase } from './database.ts';
import { openFileStore } from '#server/modules/files/file-store.ts';
import { loadDefinition, type LoadOptions } from '#server/modules/loading/loading.service.ts';
import { expectPositionals, readArguments, takeOptional, type Environment } from './arguments.ts';
import { progressReport, type Console } from './console.ts';

/** `load FILE`: loads a definition file. @returns the exit code */
export async function load(
  args: readonly string[],
  environment: Environment,
  console: Console,
): Promise<number> {
  const { value, rest } = takeOptional(
    args,
    'skip-bad-rows',
    (others) => readArguments(others, environment).positionals.length > 0,
  );
  const { config, positionals } = readArguments(rest, environment);
  const [file = ''] = expectPositionals(positionals, 'FILE');
  const skipBadRows = toSkip(value, environment['INDEXDESK_SKIP_BAD_ROWS']);
  return withDatabase(config, 'alone', async (database) => {
    const report = progressReport(console, process.stderr);
    const options = { skipBadRows };
    const files = openFileStore(config);
    await files.check();
    const { complete } = await loadDefinition(database, files, file, options, report);
    return complete ? 0 : 1;
  });
}

function toSkip(
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
