import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import pLimit from 'p-limit';
import { digestOf } from '#server/file-bytes.ts';
import type { NewFile } from '../files/files.service.ts';
import type { FileStore } from '../files/file-store.ts';
import { withIncoming } from '../files/incoming.ts';
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

function copyFile(files: FileStore, path: string): Promise<CopiedFile> {
  return withIncoming(files, chunksOf(path), async (file) => {
    const location = await files.keep(file);
    const name = basename(path);
    return {
      name,
      contentType: contentTypeOf(name),
      size: file.size,
      sha256: file.sha256,
      location,
    };
  });
}

/** SHA-256 of a file, in hexadecimal; null where it cannot be read. */
export async function digestOfFile(path: string): Promise<string | null> {
  try {
    return (await digestOf(chunksOf(path))).sha256;
  } catch {
    return null;
  }
}

function chunksOf(path: string): AsyncIterable<Buffer> {
  return createReadStream(path, { highWaterMark: 256 * 1024 });
}
