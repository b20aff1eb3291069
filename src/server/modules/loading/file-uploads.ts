import * as texts from '#messages/service/loading.ts';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import send from '@fastify/send';
import pLimit from 'p-limit';
import { digestOf } from '#server/lib/file-bytes.ts';
import type { Transaction } from '#server/database/database.ts';
import { readRemovedBefore, type NewFile } from '../files/files.service.ts';
import type { FileStore } from '../files/file-store.ts';
import { withIncoming } from '../files/incoming.ts';
import { fileProblem } from '../definition-files/load-error.ts';

/** A stored file that no revision refers to yet. */
type CopiedFile = Omit<NewFile, 'rowId' | 'position'>;

/** Files that are copied concurrently; each waits for the disk several times. */
const CONCURRENCY = 8;

/** Why a file cannot be loaded, as a sentence; null: it can. */
export async function problemOfFile(path: string): Promise<string | null> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return texts.notAFile(path);
    const handle = await open(path);
    await handle.close();
    return null;
  } catch (error) {
    return fileProblem(path, error);
  }
}

/**
 * Copies files into the store before a revision refers to them. A copy without a revision is harmless: the next load of the
 * file uses it.
 * @returns the copies by path
 */
export async function copyIntoStore(
  db: Transaction,
  files: FileStore,
  paths: readonly string[],
): Promise<Map<string, CopiedFile>> {
  const copies = await pLimit(CONCURRENCY).map(
    new Set(paths),
    async (path) => [path, await copyFile(db, files, path)] as const,
  );
  return new Map(copies);
}

function copyFile(db: Transaction, files: FileStore, path: string): Promise<CopiedFile> {
  return withIncoming(files, chunksOf(path), async (file) => {
    const removed = await readRemovedBefore(db, [file.sha256]);
    const location = await files.put(file);
    const name = basename(path);
    return {
      name,
      contentType: send.mime.getType(name) ?? 'application/octet-stream',
      size: file.size,
      sha256: file.sha256,
      location,
      removedBefore: removed.get(file.sha256) ?? null,
    };
  });
}

/** SHA-256 of a file, in hexadecimal; null: it cannot be read. */
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
