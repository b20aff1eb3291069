import { OperatorError } from '#server/lib/operator-error.ts';
import { hashWhileReading } from '#server/lib/file-bytes.ts';
import * as texts from '#messages/service/storage.ts';
import { createReadStream, existsSync } from 'node:fs';
import { link, open, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '#server/config.ts';
import { syncDirectory } from '#server/database/data-directory.ts';
import { openDatabase, assertDatabaseExists } from '#server/database/open-database.ts';
import { SCHEMA_VERSION } from '#server/database/migrations/migrate.ts';
import { SQLITE_FILE } from '#server/database/sqlite/sqlite-database.ts';
import { copyInstallation } from '../copying/copying.service.ts';
import type { FileStore } from '../files/file-store.ts';
import { openFileStore } from '../files/open-file-store.ts';
import { MissingFileError } from '../files/missing-file.ts';
import type { LoadReport } from '../loading/load-report.ts';
import { DATABASE, FILES, MANIFEST, manifestHead } from './manifest.ts';
import { makePartialFolder } from './partial-folder.ts';
import { openSnapshotFile, takeSnapshot, type OpenSnapshot } from './snapshot.ts';
import { TarWriter } from './tar.ts';

export { checkBackup, type BackupTally } from './backup-file.ts';

/** The settings that determine where an installation is stored. */
export type BackedUp = Pick<Config, 'dataDir' | 'databaseUrl' | 'files'>;

/** What a backup holds. */
interface BackupResult {
  readonly files: number;
  /** of the backup itself */
  readonly bytes: number;
  /** locations of documents' files that are missing or damaged, and therefore not included */
  readonly bad: readonly string[];
}

/**
 * Writes a backup of an installation, even while it is in use, as one file: the database at one moment, the documents'
 * files that it references, and a manifest. The file gets its name only when it is complete.
 * @param version of the program
 * @throws {OperatorError} if the file already exists, there is no database, or it is damaged or has a newer version
 */
export async function writeBackup(
  config: BackedUp,
  file: string,
  version: string,
  report: LoadReport,
): Promise<BackupResult> {
  const path = resolve(file);
  assertMissing(path);
  const partial = await makePartialFolder(path);
  const folder = partial.path;
  try {
    report.progress(texts.copyingDatabase);
    const database = join(folder, SQLITE_FILE);
    await snapshotInto(config, folder, database, report);
    const result = await pack(config, database, join(folder, 'backup.tar'), version, report);
    await rm(database);
    await publishFile(join(folder, 'backup.tar'), path);
    return result;
  } finally {
    await partial.remove();
  }
}

function assertMissing(path: string): void {
  if (existsSync(path)) throw new OperatorError(texts.backupExists(path));
}

async function snapshotInto(
  { dataDir, databaseUrl }: BackedUp,
  folder: string,
  database: string,
  report: LoadReport,
): Promise<void> {
  await assertDatabaseExists({ dataDir, databaseUrl });
  if (databaseUrl === undefined) {
    await takeSnapshot(join(dataDir, SQLITE_FILE), database);
    return;
  }
  // Like a copy to SQLite, so that backups of both databases have the same format.
  const source = await openDatabase({ dataDir, databaseUrl }, { access: 'read' });
  try {
    const target = await openDatabase({ dataDir: folder }, { unfinished: true });
    try {
      const end = { files: null, name: texts.theBackup };
      await copyInstallation(
        { ...end, database: source },
        { ...end, database: target },
        report,
        'anything',
      );
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

async function pack(
  config: BackedUp,
  database: string,
  path: string,
  version: string,
  report: LoadReport,
): Promise<BackupResult> {
  const snapshot = openSnapshotFile(database);
  const target = await open(path, 'wx', 0o600);
  try {
    if (snapshot.unfinished) throw new OperatorError(texts.copyUnfinished);
    if (snapshot.schemaVersion > SCHEMA_VERSION) {
      const { schemaVersion: version } = snapshot;
      throw new OperatorError(texts.backupOfNewer({ version, known: SCHEMA_VERSION }));
    }
    return await packInto(
      target,
      { store: openFileStore(config), database, snapshot, version, list: `${path}.list` },
      report,
    );
  } finally {
    await target.close();
    snapshot.close();
  }
}

interface Packed {
  readonly store: FileStore;
  readonly database: string;
  readonly snapshot: OpenSnapshot;
  readonly version: string;
  /** where the manifest is collected: there may be more files than fit into memory */
  readonly list: string;
}

async function packInto(
  target: FileHandle,
  { store, database, snapshot, version, list }: Packed,
  report: LoadReport,
): Promise<BackupResult> {
  const tar = new TarWriter(target);
  const manifest = await open(list, 'wx', 0o600);
  const bad: string[] = [];
  let files = 0;
  try {
    const { schemaVersion } = snapshot;
    await manifest.appendFile(
      manifestHead({ version, schemaVersion, createdAt: new Date().toISOString() }),
    );
    const addLine = (line: object) => manifest.appendFile(`${JSON.stringify(line)}\n`);
    const { size } = await stat(database);
    const sha256 = await addHashed(tar, DATABASE, size, () => createReadStream(database));
    if (sha256 === null) throw new Error('The copy of the database has changed.');
    await addLine({ name: DATABASE, size, sha256 });
    for (const file of snapshot.files()) {
      const [name, begun] = [FILES + file.location, tar.position];
      const found = await addHashed(tar, name, file.size, () => store.open(file.location));
      if (found === file.sha256) await addLine({ name, size: file.size, sha256: found });
      else {
        await tar.truncate(begun);
        bad.push(file.location);
        await addLine({ missing: name });
      }
      files += 1;
      report.progress(texts.packingFiles(files));
    }
    await addHashed(tar, MANIFEST, (await stat(list)).size, () => createReadStream(list));
    await tar.end();
    await target.sync();
    return { files: files - bad.length, bytes: tar.position, bad };
  } finally {
    await manifest.close();
  }
}

/**
 * @param read starts reading, only once the bytes are awaited: an earlier error would be unhandled
 * @returns the SHA-256 of the added bytes; null if the file is missing, or its size differs
 */
async function addHashed(
  tar: TarWriter,
  name: string,
  size: number,
  read: () => AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>,
): Promise<string | null> {
  const stream = async function* () {
    yield* await read();
  };
  const { bytes, digest } = hashWhileReading(stream());
  try {
    return (await tar.add(name, size, bytes)) ? digest().sha256 : null;
  } catch (error) {
    if (error instanceof MissingFileError) return null;
    throw error;
  }
}

/** Renames a complete file; no other file may have the name. */
async function publishFile(written: string, path: string): Promise<void> {
  try {
    await link(written, path);
  } catch (error) {
    // Not every file system supports hard links.
    assertMissing(path);
    if (existsSync(written)) await rename(written, path);
    else throw error;
  }
  await syncDirectory(dirname(path));
}
