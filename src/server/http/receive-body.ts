import * as texts from '#messages/service/http.ts';
import { randomUUID } from 'node:crypto';
import { readFile, rm, type FileHandle } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { createFile } from '#server/database/data-directory.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { LARGE_BODY_BYTES, releaseBodyMemory, reserveBodyMemory } from './body-memory.ts';

/** Bytes of a large body that are written together. */
const FILE_WRITE_BYTES = 256 * 1024;

interface ReceivedBody {
  /** bytes */
  readonly length: number;
  /** of a large body: the file in which it waits for its turn; null: it is in memory */
  readonly path: string | null;
  readonly chunks: readonly Buffer[];
}

/** The bytes of received bodies, by request. */
const heldBodies = new Map<IncomingMessage, number>();
let totalHeldBytes = 0;

/** The total size of bodies that the process holds, in memory or in files, from arrival to answer. */
export function totalBodyBytes(): number {
  return totalHeldBytes;
}

/** Called once a request is answered. */
export function releaseBody(raw: IncomingMessage): void {
  releaseBodyMemory(raw);
  totalHeldBytes -= heldBodies.get(raw) ?? 0;
  heldBodies.delete(raw);
}

function addHeldBytes(raw: IncomingMessage, bytes: number): void {
  if (raw.destroyed && !raw.complete) return;
  heldBodies.set(raw, (heldBodies.get(raw) ?? 0) + bytes);
  totalHeldBytes += bytes;
}

/**
 * Reads a body completely; a large one into a file, so that waiting bodies use no memory. `withBytes` removes the file.
 * @param limit bytes
 * @throws {ApiError} 413; 400 if the client disconnects before the end
 */
export async function receiveBody(
  raw: IncomingMessage,
  limit: number,
  incomingDir: string,
): Promise<ReceivedBody> {
  const path = join(incomingDir, randomUUID());
  const opened: FileHandle[] = [];
  const openFile = async () => {
    const file = await createFile(path);
    opened.push(file);
    return file;
  };
  try {
    const { chunks, length } = await readChunks(raw, limit, async (arrived) => {
      const file = opened[0] ?? (await openFile());
      for (const chunk of arrived) await file.appendFile(chunk);
    });
    return { length, path: opened.length > 0 ? path : null, chunks };
  } catch (error) {
    if (opened.length > 0) await rm(path, { force: true });
    throw error;
  } finally {
    for (const file of opened) await file.close();
  }
}

/**
 * Passes the bytes of a body to `take`, once there is memory for its values.
 * @param take must not keep the bytes of a large body
 * @throws {ApiError} 400 if the client disconnects before
 */
export async function withBytes<Result>(
  raw: IncomingMessage,
  { length, path, chunks }: ReceivedBody,
  take: (bytes: Buffer) => Result,
): Promise<Result> {
  try {
    await reserveBodyMemory(raw, length);
    if (path === null) return take(Buffer.concat(chunks, length));
    const bytes = await readFile(path);
    const taken = take(bytes);
    // Freed at once: the next garbage collection may be many large bodies later.
    if (bytes.buffer instanceof ArrayBuffer) bytes.buffer.transfer(0);
    return taken;
  } finally {
    if (path !== null) await rm(path, { force: true });
  }
}

/**
 * Not an async iterator: leaving its loop would close the connection before the client reads the answer.
 * @param store awaited with the chunks of a large body, also the last ones; meanwhile the stream is paused
 */
function readChunks(
  raw: IncomingMessage,
  limit: number,
  store: (chunks: readonly Buffer[]) => Promise<void>,
): Promise<{ readonly chunks: readonly Buffer[]; readonly length: number }> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let length = 0;
    let unstored = 0;
    let isLarge = false;
    let storing = Promise.resolve();
    const storeNow = () => {
      const full = chunks;
      [chunks, unstored, isLarge] = [[], 0, true];
      raw.pause();
      storing = storing.then(() => store(full));
      storing.then(() => raw.resume(), fail);
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      unstored += chunk.length;
      if (length > limit) return fail(tooLarge(limit));
      chunks.push(chunk);
      addHeldBytes(raw, chunk.length);
      if (unstored > (isLarge ? FILE_WRITE_BYTES : LARGE_BODY_BYTES)) storeNow();
    };
    const onEnd = () => {
      if (isLarge && unstored > 0) storeNow();
      settle(() => void storing.then(() => resolve({ chunks, length }), reject));
    };
    const onClose = () => fail(new ApiError('malformed', texts.bodyIncomplete));
    // A write in progress is completed, so that its file can be removed.
    const fail = (reason: unknown) =>
      settle(() => void storing.catch(ignore).then(() => reject(reason)));
    const settle = (report: () => void) => {
      raw.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      raw.on('error', ignore);
      report();
    };
    raw.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}

const ignore = () => undefined;

export function tooLarge(limit: number): ApiError {
  return new ApiError('too_large', texts.bodyTooLong({ max: limit }));
}
