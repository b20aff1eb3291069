import * as texts from '#messages/service/storage.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestOf, writeNewFile } from '#server/lib/file-bytes.ts';
import { SQLITE_FILE } from '#server/database/sqlite/sqlite-database.ts';
import type { CheckedFiles } from '../verification/verification.service.ts';
import { readBackup, type BackupTally } from './backup-file.ts';
import { DATABASE, FILES } from './manifest.ts';

/** A backup whose bytes were all compared with the manifest, and whose database is unpacked. */
interface UnpackedBackup {
  readonly tally: BackupTally;
  /** contains only the database */
  readonly dataDir: string;
  /** the files in the backup, by their sizes; their contents were compared */
  readonly files: CheckedFiles;
}

/**
 * Unpacks the database of a backup into the system's temporary directory, and removes it after `work`.
 * @throws {OperatorError} with a message for the administrator if the backup is not complete
 */
export async function withUnpackedBackup<T>(
  path: string,
  progress: (text: string) => void,
  work: (backup: UnpackedBackup) => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(join(tmpdir(), 'indexdesk-verify-'));
  try {
    const sizes = new Map<string, number>();
    const tally = await readBackup(path, async (name, bytes) => {
      progress(texts.checkingEntry(name));
      if (name === DATABASE) await writeNewFile(join(dataDir, SQLITE_FILE), bytes);
      else sizes.set(name.slice(FILES.length), (await digestOf(bytes)).size);
    });
    const files: CheckedFiles = {
      compared: true,
      size: (location) => Promise.resolve(sizes.get(location) ?? null),
      open: () => Promise.reject(new Error('it was compared when the backup was read')),
    };
    return await work({ tally, dataDir, files });
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
