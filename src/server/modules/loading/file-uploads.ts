import { createHash, randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rm, stat, type FileHandle } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pLimit from 'p-limit';
import { makeDirectory } from '#server/database/data-directory.ts';
import type { NewFile } from '../files/files.service.ts';
import type { FileStore } from '../files/file-store.ts';
import { contentTypeOf } from './content-types.ts';
import { fileProblem } from './report.ts';

/** What a revision's file is, but for whose. */
export type CopiedFile = Omit<NewFile, 'rowId' | 'position'>;

/** How many files are copied at the same time: each waits for the disk several times. */
const CONCURRENCY = 8;

/** Why a file cannot be loaded, as a sentence; null where it can. */
export async function objectionToFile(path: string): Promise<string | null> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return `${path} is not a file.`;
    const handle = await open(path);
    await handle.close();
    return null;
  } catch (error) {
    return fileProblem(path, error);
  }
}

/**
 * Copies files into the store, so that they are kept before a revision names them. A copy that no revision
 * comes to name does no harm: the next load of the same file takes it.
 * @returns the copies by path
 */
export async function copyFiles(
  files: FileStore,
  paths: readonly string[],
): Promise<Map<string, CopiedFile>> {
  const copies = await pLimit(CONCURRENCY).map(
    new Set(paths),
    async (path) => [path, await copyFile(files, path)] as const,
  );
  return new Map(copies);
}

async function copyFile(files: FileStore, path: string): Promise<CopiedFile> {
  await makeDirectory(files.incomingDir);
  const copy = join(files.incomingDir, `load-${randomUUID()}`);
  try {
    const { sha256, size } = await writeCopy(path, copy);
    const location = await files.keep({ path: copy, sha256, size });
    const name = basename(path);
    return { name, contentType: contentTypeOf(name), size, sha256, location };
  } finally {
    await rm(copy, { force: true });
  }
}

async function writeCopy(path: string, copy: string): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  let target: FileHandle | undefined;
  try {
    target = await open(copy, 'wx');
    for await (const chunk of chunksOf(path)) {
      hash.update(chunk);
      size += chunk.length;
      await target.appendFile(chunk);
    }
    await target.sync();
  } finally {
    await target?.close();
  }
  return { sha256: hash.digest('hex'), size };
}

/** SHA-256 of a file, in hexadecimal; null where it cannot be read. */
export async function digestOfFile(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of chunksOf(path)) hash.update(chunk);
  } catch {
    return null;
  }
  return hash.digest('hex');
}

function chunksOf(path: string): AsyncIterable<Buffer> {
  return createReadStream(path, { highWaterMark: 256 * 1024 });
}
