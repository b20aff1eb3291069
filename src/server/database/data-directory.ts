import { OperatorError } from '#server/lib/operator-error.ts';
import * as texts from '#messages/service/database.ts';
import { access, mkdir, open, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { isBusy } from './sqlite/sqlite-connection.ts';
import { storageErrorOf } from './storage-errors.ts';
import { messageOf, isMissingFile } from '#server/lib/caught-errors.ts';

/** The file whose lock shows that a process serves or loads the directory. */
export const LOCK_FILE = 'indexdesk.lock';

/**
 * Creates the data directory if it is missing, readable only by its owner.
 * @throws {OperatorError} if it cannot be created
 */
export async function createDataDirectory(dataDir: string): Promise<void> {
  let created: string | undefined;
  try {
    created = await makeDirectory(dataDir);
  } catch (error) {
    throw new OperatorError(
      texts.directoryNotCreated({ directory: dataDir, why: messageOf(error) }),
      {
        cause: error,
      },
    );
  }
  if (created !== undefined) await syncDirectory(dirname(created));
}

/**
 * Checks whether other users of the machine may access a directory, such as one created by hand, or by an older
 * version, whose files may be readable too.
 * @returns a warning with the remedy for the administrator; null if the permissions are safe
 */
export async function directoryPermissionWarning(directory: string): Promise<string | null> {
  // Windows has no such permissions.
  if (process.platform === 'win32') return null;
  const mode = (await stat(directory).catch(() => null))?.mode ?? 0;
  if ((mode & 0o077) === 0) return null;
  return texts.directoryOpenToOthers({ directory, value: (mode & 0o777).toString(8) });
}

/**
 * Creates a directory and its missing parents, accessible only by the owner. Node's recursive mkdir never returns on
 * file systems that report ENOENT for every new name, such as /proc.
 * @returns the topmost directory that was created; undefined if the directory existed
 */
export async function makeDirectory(path: string): Promise<string | undefined> {
  let created: string | undefined;
  try {
    if (await tryMakeDirectory(path)) created = path;
  } catch (error) {
    if (!isMissingFile(error) || dirname(path) === path) throw error;
    created = await makeDirectory(dirname(path));
    if (await tryMakeDirectory(path)) created ??= path;
  }
  return created;
}

/** @returns whether it was created */
async function tryMakeDirectory(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    const isDirectory = await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (isDirectory) return false;
    throw error;
  }
}

/** Creates a file that only its owner may access, and its directory if that is missing. */
export async function createFile(path: string): Promise<FileHandle> {
  return inDirectory(dirname(path), () => open(path, 'wx', 0o600));
}

/**
 * Runs work that needs a directory. If the directory is missing, it is created and the work runs again: directories exist
 * nearly always, so that looking for them first would be wasted.
 */
export async function inDirectory<T>(directory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isMissingFile(error)) throw error;
    await makeDirectory(directory);
    return work();
  }
}

/** Waits until the directory entries are on the disk (fsync). */
export async function syncDirectory(directory: string): Promise<void> {
  // Windows cannot open a directory; its file systems log the names themselves.
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A marker file in the directory from the first byte of a restore until the restore is complete. */
export const RESTORING_FILE = 'indexdesk.restoring';

/** @throws {OperatorError} if a restore into the directory was interrupted */
export async function assertNoPartialRestore(dataDir: string): Promise<void> {
  try {
    await access(join(dataDir, RESTORING_FILE));
  } catch {
    return;
  }
  throw new OperatorError(texts.restoreUnfinished(dataDir));
}

interface DataDirectoryLock {
  release(): void;
}

/**
 * Locks the data directory, which is created if it is missing. The operating system releases the lock when the process
 * ends, for whatever reason.
 * @throws {OperatorError} if another process holds the lock
 */
export async function lockDataDirectory(dataDir: string): Promise<DataDirectoryLock> {
  await createDataDirectory(dataDir);
  const path = join(dataDir, LOCK_FILE);
  let file: DatabaseSync | undefined;
  try {
    // Uses the lock of a small separate SQLite database, because Node has no file locks.
    file = new DatabaseSync(path, { timeout: 0 });
    file.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    file?.close();
    if (isBusy(error)) {
      throw new OperatorError(texts.directoryInUse(dataDir), { cause: error });
    }
    const storageError = storageErrorOf(error);
    if (storageError === 'read only' || storageError === 'failing') {
      throw new OperatorError(
        texts.directoryReadOnly({ directory: dataDir, why: messageOf(error) }),
        { cause: error },
      );
    }
    throw new OperatorError(
      texts.directoryNotLocked({ directory: dataDir, why: messageOf(error) }),
      {
        cause: error,
      },
    );
  }
  const held = file;
  return { release: () => held.close() };
}
