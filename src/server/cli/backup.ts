import * as cliTexts from '#messages/service/cli.ts';
import { readBuildInfo } from '#server/build-info.ts';
import {
  checkBackup,
  writeBackup,
  type BackupTally,
} from '#server/modules/backups/backup.service.ts';
import { restoreBackup } from '#server/modules/backups/restore.service.ts';
import { readArguments, type Command } from './arguments.ts';
import { progressReport } from './console.ts';

const MAX_LISTED = 20;

/** `backup FILE`: writes the installation into one file. @returns the exit code */
export const backup: Command = async (args, environment, console) => {
  const { config, positionals } = readArguments(args, environment, ['FILE']);
  const [file = ''] = positionals;
  const report = progressReport(console, process.stderr);
  const { files, bytes, bad } = await writeBackup(config, file, readBuildInfo().version, report);
  report.info(cliTexts.backupWritten({ file, bytes, files }));
  for (const location of bad.slice(0, MAX_LISTED)) {
    report.fail(cliTexts.backupFileDamaged(location));
  }
  if (bad.length === 0) return 0;
  report.fail(cliTexts.filesNotInBackup(bad.length));
  return 1;
};

/** `restore FILE`: creates an installation from a backup, or only checks it. @returns the exit code */
export const restore: Command = async (args, environment, console) => {
  const { config, positionals, own } = readArguments(args, environment, ['FILE'], {
    check: 'switch',
  });
  const [file = ''] = positionals;
  const report = progressReport(console, process.stderr);
  if (own.has('check')) {
    const tally = await checkBackup(file, (text) => report.progress(text));
    report.info(cliTexts.backupComplete({ file, tally: describeBackup(tally) }));
    return 0;
  }
  const tally = await restoreBackup(file, config, report);
  report.info(cliTexts.backupRestored({ dataDir: config.dataDir, tally: describeBackup(tally) }));
  return 0;
};

/** The content of a backup, as part of a sentence. */
export function describeBackup({ head, files, bytes, missing }: BackupTally): string {
  const backup = { at: head.createdAt, bytes, files };
  return missing.length === 0
    ? cliTexts.backup(backup)
    : cliTexts.incompleteBackup({ ...backup, missing: missing.length });
}
