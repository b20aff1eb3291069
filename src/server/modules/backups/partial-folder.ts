import { OperatorError } from '#server/lib/operator-error.ts';
import * as texts from '#messages/service/storage.ts';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { LOCK_FILE, lockDataDirectory } from '#server/database/data-directory.ts';
import { messageOf } from '#server/lib/caught-errors.ts';

/**
 * The folder in which a backup is created before it gets its name: in the same directory, so that a rename is
 * sufficient.
 */
interface PartialFolder {
  readonly path: string;
  remove(): Promise<void>;
}

const NAME = /\.partial-[A-Za-z0-9]{6}$/;

/**
 * Creates a folder for a backup, and removes those that killed processes have left in the same directory. Each is
 * locked while its process lives.
 * @param file the final name of the backup
 * @throws {OperatorError}
 */
export async function makePartialFolder(file: string): Promise<PartialFolder> {
  const directory = dirname(file);
  let path: string;
  try {
    await removeRemains(directory);
    path = await mkdtemp(`${file}.partial-`);
  } catch (error) {
    const why = messageOf(error);
    throw new OperatorError(texts.notWritable({ directory, why }), { cause: error });
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
    // A folder without a lock file is not ours.
    if (!NAME.test(name) || !existsSync(join(folder, LOCK_FILE))) continue;
    const lock = await lockDataDirectory(folder).catch(() => undefined);
    if (!lock) continue;
    lock.release();
    await rm(folder, { recursive: true, force: true });
  }
}
