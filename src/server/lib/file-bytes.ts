import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

/** Size and hash, which identify bytes. */
export interface Digest {
  /** bytes */
  readonly size: number;
  /** lower-case hexadecimal */
  readonly sha256: string;
}

/**
 * Reads a stream of buffers completely.
 * @param take awaited for each buffer
 */
export async function digestOf(
  bytes: AsyncIterable<unknown>,
  take?: (chunk: Buffer) => Promise<unknown>,
): Promise<Digest> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of bytes) {
    if (!Buffer.isBuffer(chunk)) continue;
    hash.update(chunk);
    size += chunk.length;
    await take?.(chunk);
  }
  return { size, sha256: hash.digest('hex') };
}

/** Writes a new file that only this user may read, and flushes it to the disk. */
export async function writeNewFile(path: string, bytes: AsyncIterable<unknown>): Promise<Digest> {
  const file = await open(path, 'wx', 0o600);
  try {
    const digest = await digestOf(bytes, (chunk) => file.appendFile(chunk));
    await file.sync();
    return digest;
  } finally {
    await file.close();
  }
}
