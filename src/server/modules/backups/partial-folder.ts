import { access, mkdtemp, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LOCK_FILE, lockDataDirectory } from '#server/database/data-directory.ts';

/** Where a backup is made before it gets its name: beside it, so that a rename is enough. */
export interface PartialFolder {
  readonly path: string;
  remove(): Promise<void>;
}

const NAME = /\.partial-[A-Za-z0-9]{6}$/;

/**
 * Makes a folder for a backup, and removes those that killed processes have left in the same directory. Each is locked
 * as long as its process lives.
 * @param file that the backup is to be
 * @throws {Error} with a message for the administrator
 */
export async function makePartialFolder(file: string): Promise<PartialFolder> {
  const directory = dirname(file);
  let path: string;
  try {
    await removeRemains(directory);
    path = await mkdtemp(`${file}.partial-`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Error(`Nothing can be written to ${directory}: ${why}`, { cause: error });
  }
  const lock = await lockDataDirectory(path);
  return {
    path,
    async remove() {
      lock.release();
      await rm(path, { recursive: true, force: true });
    },
  };
}

async function removeRemains(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const folder = join(directory, name);
    // What has no lock is of somebody else.
    if (!NAME.test(name) || !(await exists(join(folder, LOCK_FILE)))) continue;
    const lock = await lockDataDirectory(folder).catch(() => undefined);
    if (!lock) continue;
    lock.release();
    await rm(folder, { recursive: true, force: true });
  }
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
