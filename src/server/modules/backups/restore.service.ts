import { OperatorError } from '#server/lib/operator-error.ts';
import * as texts from '#messages/service/storage.ts';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  lockDataDirectory,
  RESTORING_FILE,
  syncDirectory,
} from '#server/database/data-directory.ts';
import { writeNewFile } from '#server/lib/file-bytes.ts';
import { openDatabase } from '#server/database/open-database.ts';
import { SCHEMA_VERSION } from '#server/database/migrations/migrate.ts';
import { SQLITE_FILE } from '#server/database/sqlite/sqlite-database.ts';
import { copyInstallation } from '../copying/copying.service.ts';
import type { LoadReport } from '../loading/load-report.ts';
import { withIncoming } from '../files/incoming.ts';
import { openFileStore } from '../files/open-file-store.ts';
import type { BackedUp } from './backup.service.ts';
import { checkBackup, readBackup, type BackupTally } from './backup-file.ts';
import { DATABASE } from './manifest.ts';
import { isMissingFile } from '#server/lib/caught-errors.ts';

/**
 * Creates an installation from a backup in an empty data directory, and in an empty PostgreSQL database if one is
 * given. The backup is checked completely first. Until the restore is complete nothing can open the directory.
 * @throws {OperatorError}
 */
export async function restoreBackup(
  path: string,
  config: BackedUp,
  report: LoadReport,
): Promise<BackupTally> {
  const { dataDir, databaseUrl } = config;
  const progress = (text: string) => report.progress(text);
  const { head } = await checkBackup(path, progress);
  if (head.schemaVersion > SCHEMA_VERSION) {
    const { version: indexdesk, schemaVersion: version } = head;
    throw new OperatorError(
      texts.restoreOfNewer({ path, indexdesk, version, known: SCHEMA_VERSION }),
    );
  }
  await assertEmpty(dataDir);
  const lock = await lockDataDirectory(dataDir);
  try {
    await assertEmpty(dataDir);
    await markRestoring(dataDir);
    await removePartialRestore(dataDir);
    const tally = await unpack(path, config, progress);
    if (databaseUrl !== undefined) {
      await moveDatabase(dataDir, databaseUrl, texts.backupOf(head.createdAt), report);
    }
    await rm(join(dataDir, RESTORING_FILE));
    await syncDirectory(dataDir);
    return tally;
  } finally {
    lock.release();
  }
}

/** Lock files, which exist in a directory before anything else does. */
const LOCK = /^indexdesk\.lock/;

async function assertEmpty(dataDir: string): Promise<void> {
  const names = await namesIn(dataDir);
  if (names.includes(RESTORING_FILE)) return;
  if (names.every((name) => LOCK.test(name))) return;
  throw new OperatorError(texts.directoryNotEmpty(dataDir));
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isMissingFile(error)) return [];
    throw error;
  }
}

/** Creates the file that prevents opening the directory until the restore is complete. */
async function markRestoring(dataDir: string): Promise<void> {
  await writeFile(join(dataDir, RESTORING_FILE), '', { mode: 0o600, flush: true });
  await syncDirectory(dataDir);
}

/** Removes what an interrupted restore has left. */
async function removePartialRestore(dataDir: string): Promise<void> {
  for (const name of await namesIn(dataDir)) {
    if (name === RESTORING_FILE || LOCK.test(name)) continue;
    await rm(join(dataDir, name), { recursive: true });
  }
}

async function unpack(
  path: string,
  config: BackedUp,
  progress: (text: string) => void,
): Promise<BackupTally> {
  const store = openFileStore(config);
  const tally = await readBackup(path, async (name, bytes) => {
    progress(texts.restoringEntry(name));
    if (name === DATABASE) {
      await writeNewFile(join(config.dataDir, SQLITE_FILE), bytes);
      return;
    }
    // `readBackup` has rejected files whose digest differs from their name.
    await withIncoming(store, bytes, (file) => store.put(file));
  });
  await syncDirectory(config.dataDir);
  return tally;
}

/** Moves the restored database to PostgreSQL; the documents' files stay in place. */
async function moveDatabase(
  dataDir: string,
  databaseUrl: string,
  name: string,
  report: LoadReport,
): Promise<void> {
  const source = await openDatabase({ dataDir }, { unfinished: true });
  try {
    const target = await openDatabase({ dataDir, databaseUrl }, { unfinished: true });
    try {
      await copyInstallation(
        { database: source, files: null, name },
        { database: target, files: null, name: texts.restoredDatabase },
        report,
        'nothing',
      );
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
  for (const suffix of ['', '-wal', '-shm'])
    await rm(join(dataDir, SQLITE_FILE + suffix), { force: true });
}
