import { randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createFile } from '#server/database/data-directory.ts';
import { writeAndFlush } from '#server/lib/file-bytes.ts';
import type { FileStore, Incoming } from './file-store.ts';

/**
 * Writes bytes to a file that the store can keep, and removes it after `work`.
 * @param bytes a stream of buffers
 */
export async function withIncoming<T>(
  { incomingDir }: Pick<FileStore, 'incomingDir'>,
  bytes: AsyncIterable<unknown>,
  work: (file: Incoming) => Promise<T>,
): Promise<T> {
  const path = join(incomingDir, randomUUID());
  try {
    return await work({ path, ...(await writeAndFlush(await createFile(path), bytes)) });
  } finally {
    await rm(path, { force: true });
  }
}

/** Removes the uploads of requests that a crash interrupted: those not written to since a time. */
export async function sweepIncoming(directory: string, before: number): Promise<void> {
  const names = await readdir(directory).catch(() => []);
  for (const name of names) {
    const path = join(directory, name);
    const found = await stat(path).catch(() => null);
    if (found && found.mtimeMs < before) await rm(path, { force: true });
  }
}
