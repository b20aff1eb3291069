import { ConfigError } from '#server/config.ts';
import { refuseMissingDatabase } from '#server/db/database.ts';
import { openFileStore } from '#server/modules/files/file-store.ts';
import {
  counted,
  formatHead,
  parseHead,
  readHead,
  verify as verifyAll,
} from '#server/modules/verification/verification.service.ts';
import { expectPositionals, readArguments, takeSwitch, type Environment } from './arguments.ts';
import { progressReport, type Console } from './console.ts';
import { withDatabase } from './database.ts';

/**
 * `verify`: checks the history, and everything against it; `--export` alone only prints the chain's head.
 * @returns the exit code
 */
export async function verify(
  args: readonly string[],
  environment: Environment,
  console: Console,
): Promise<number> {
  const contents = takeSwitch(args, 'contents');
  const deep = takeSwitch(contents.rest, 'deep');
  const exporting = takeSwitch(deep.rest, 'export');
  const { config, positionals, own } = readArguments(exporting.rest, environment, ['since']);
  expectPositionals(positionals);
  const kept = own.get('since');
  const since = kept === undefined ? null : parseHead(kept);
  if (since === undefined) {
    throw new ConfigError('--since must be a line that --export has printed.');
  }
  await refuseMissingDatabase(config);
  return withDatabase(config, 'beside others', async (database) => {
    const head = formatHead(await database.read(readHead));
    const alone = exporting.given && !since && !contents.given && !deep.given;
    if (alone) {
      console.out(head);
      return 0;
    }
    // The head alone is for programs.
    const told = exporting.given
      ? { ...console, out: (line: string) => console.err(line) }
      : console;
    const report = progressReport(told, process.stderr);
    const options = { contents: contents.given, deep: deep.given, since };
    const found = await verifyAll(database, config, openFileStore(config), options, report);
    if (found > 0) {
      report.fail(`Not verified: ${counted(found, 'finding', 'findings')}.`);
      return 1;
    }
    report.say('Verified: nothing found.');
    if (exporting.given) console.out(head);
    return 0;
  });
}
