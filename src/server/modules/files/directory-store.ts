import { OperatorError } from '#server/lib/operator-error.ts';
import * as texts from '#messages/service/storage.ts';
import { randomUUID } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFile, inDirectory, syncDirectory } from '#server/database/data-directory.ts';
import { locationOf, type FileStore } from './file-store.ts';
import { sweepIncoming } from './incoming.ts';
import { MissingFileError } from './missing-file.ts';
import { codeOf, isMissingFile, messageOf } from '#server/lib/caught-errors.ts';

/** Bytes per read: with Node's default of 64 KiB a large file takes 1.4 times as long. */
const READ_SIZE = 256 * 1024;

/** Files in a directory, which several processes may share. */
export function directoryStore(root: string): FileStore {
  // On the same file system, so that the rename is atomic.
  const incomingDir = join(root, 'incoming');
  let rootIsNamed = false;
  /** the directories in the root whose names are durable */
  const named = new Set<string>();
  return {
    incomingDir,
    async put({ path, sha256, size }) {
      const location = locationOf(sha256);
      const target = join(root, location);
      const directory = dirname(target);
      if ((await sizeOf(target)) === size) await rm(path, { force: true });
      else await inDirectory(directory, () => rename(path, target));
      // Even if the name exists: another request may not have flushed it yet.
      await syncDirectory(directory);
      if (!named.has(directory)) await syncDirectory(root);
      named.add(directory);
      // The name of the root may not be flushed yet.
      if (!rootIsNamed) await flushParent(root);
      rootIsNamed = true;
      return location;
    },
    async open(location, range) {
      try {
        const file = await open(join(root, location));
        return file.createReadStream({
          highWaterMark: READ_SIZE,
          ...(range && { start: range.first, end: range.last }),
        });
      } catch (error) {
        throw isMissingFile(error) ? new MissingFileError(location, error) : error;
      }
    },
    size: (location) => sizeOf(join(root, location)),
    remove: (location) => rm(join(root, location), { force: true }),
    async check() {
      const probe = join(incomingDir, `probe-${randomUUID()}`);
      try {
        const file = await createFile(probe);
        await file.sync().finally(() => file.close());
        await rename(probe, `${probe}-renamed`);
        await syncDirectory(incomingDir);
      } catch (error) {
        const reason = messageOf(error);
        throw new OperatorError(texts.directoryNotUsable({ directory: root, why: reason }), {
          cause: error,
        });
      } finally {
        for (const path of [probe, `${probe}-renamed`]) {
          await rm(path, { force: true }).catch(() => undefined);
        }
      }
    },
    sweep: (before) => sweepIncoming(incomingDir, before),
  };
}

/** null: the file does not exist */
async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch (error) {
    if (isMissingFile(error)) return null;
    throw error;
  }
}

async function flushParent(path: string): Promise<void> {
  try {
    await syncDirectory(dirname(path));
  } catch (error) {
    const code = codeOf(error);
    // Without access to the parent, an administrator must have created the directory earlier.
    if (code !== 'EACCES' && code !== 'EPERM') throw error;
  }
}
