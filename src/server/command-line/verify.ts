import { openFileStore } from '#server/modules/files/file-store.ts';
import { verify as verifyAll } from '#server/modules/verification/verification.service.ts';
import { expectPositionals, readArguments, takeSwitch, type Environment } from './arguments.ts';
import { progressReport, type Console } from './console.ts';
import { withDatabase } from './database.ts';

/** `verify`: checks the history, and everything against it. @returns the exit code */
export async function verify(
  args: readonly string[],
  environment: Environment,
  console: Console,
): Promise<number> {
  const contents = takeSwitch(args, 'contents');
  const deep = takeSwitch(contents.rest, 'deep');
  const { config, positionals } = readArguments(deep.rest, environment);
  expectPositionals(positionals);
  return withDatabase(config, 'beside others', async (database) => {
    const report = progressReport(console, process.stderr);
    const options = { contents: contents.given, deep: deep.given };
    const found = await verifyAll(database, openFileStore(config), options, report);
    if (found > 0) {
      report.fail(`Not verified: ${found.toLocaleString('en')} findings.`);
      return 1;
    }
    report.say('Verified: nothing found.');
    return 0;
  });
}
