import * as cliTexts from '#messages/service/cli.ts';
import { ConfigError } from '#server/config.ts';
import type { DatabaseAccess, DatabaseConfig } from '#server/database/open-database.ts';
import { withUnpackedBackup } from '#server/modules/backups/verify-backup.service.ts';
import { openFileStore } from '#server/modules/files/open-file-store.ts';
import {
  shouldUseThreads,
  formatHead,
  parseHead,
  readHead,
  verifyInstallation,
  type CheckedFiles,
} from '#server/modules/verification/verification.service.ts';
import { readArguments, type Command } from './arguments.ts';
import { describeBackup } from './backup.ts';
import { progressReport } from './console.ts';
import { withDatabase } from './with-database.ts';

/**
 * `verify`: checks the history, and all data against it; `--export` alone only prints the chain's head; `--backup FILE`
 * verifies a backup.
 * @returns the exit code
 */
export const verify: Command = async (args, environment, console) => {
  const { config, own } = readArguments(args, environment, [], {
    contents: 'switch',
    deep: 'switch',
    export: 'switch',
    since: 'value',
    backup: 'value',
  });
  const [contents, deep, exports] = [own.has('contents'), own.has('deep'), own.has('export')];
  const head = own.get('since');
  const since = head === undefined ? null : parseHead(head);
  if (since === undefined) {
    throw new ConfigError(cliTexts.sinceInvalid);
  }
  const onlyExports = exports && !since && !contents && !deep;
  // Programs read the head from stdout.
  const output = exports ? { ...console, out: (line: string) => console.err(line) } : console;
  const report = progressReport(output, process.stderr);
  const verifyIn = (
    config: DatabaseConfig,
    files: CheckedFiles,
    { read, access }: { read: boolean; access: DatabaseAccess },
  ) =>
    withDatabase(config, access, async (database) => {
      const head = formatHead(await database.read(readHead));
      if (!onlyExports) {
        const usesThreads = await shouldUseThreads(database);
        const options = { contents: read, deep, since, usesThreads };
        const found = await verifyInstallation(database, config, files, options, report);
        if (found > 0) {
          report.fail(cliTexts.notVerified(found));
          return 1;
        }
        report.info(cliTexts.verified);
      }
      if (exports) console.out(head);
      return 0;
    });
  const file = own.get('backup');
  if (file !== undefined) {
    return withUnpackedBackup(
      file,
      (text) => report.progress(text),
      ({ tally, dataDir, files }) => {
        report.info(cliTexts.backupComplete({ file, tally: describeBackup(tally) }));
        // The unpacked database is temporary, so an older version is upgraded.
        return verifyIn({ dataDir }, files, { read: false, access: 'upgrade' });
      },
    );
  }
  const { dataDir, databaseUrl } = config;
  return verifyIn({ dataDir, databaseUrl }, openFileStore(config), {
    read: contents,
    access: 'read',
  });
};
