import { createReadStream, type ReadStream } from 'node:fs';
import { access, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ByteRange } from '#server/http/byte-range.ts';

/**
 * The bytes of documents' files, in the data directory's `files`. They are named by their SHA-256: the same
 * bytes are kept once, and a file once written never changes.
 */
export interface FileStore {
  /**
   * Takes over a file whose bytes have been flushed; resolves when its name is on the disk too.
   * @returns where it is kept, for `open`
   */
  keep(path: string, sha256: string): Promise<string>;
  /** Reads what `keep` has taken over. */
  open(location: string, range?: ByteRange): ReadStream;
  /** The bytes of what `keep` has taken over; null: it is not there. */
  size(location: string): Promise<number | null>;
}

export function openFileStore(dataDir: string): FileStore {
  const root = join(dataDir, 'files');
  let rootIsNamed = false;
  return {
    async keep(path, sha256) {
      const location = join(sha256.slice(0, 2), sha256);
      const target = join(root, location);
      await mkdir(dirname(target), { recursive: true });
      if (await exists(target)) await rm(path, { force: true });
      else await rename(path, target);
      // Also where the name was there: another request may have given it and not yet flushed it.
      await flushDirectory(dirname(target));
      await flushDirectory(root);
      // Whoever has made the root may not have flushed its name.
      if (!rootIsNamed) await flushDirectory(dataDir);
      rootIsNamed = true;
      return location;
    },
    open(location, range) {
      return createReadStream(
        join(root, location),
        range && { start: range.first, end: range.last },
      );
    },
    async size(location) {
      try {
        return (await stat(join(root, location))).size;
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
        throw error;
      }
    },
  };
}

async function exists(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch {
    return false;
  }
}

/** A name is durable when its directory is flushed (fsync(2)). */
async function flushDirectory(path: string): Promise<void> {
  const directory = await open(path);
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
