import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';

/** Size and hash, which identify bytes. */
export interface Digest {
  /** bytes */
  readonly size: number;
  /** lower-case hexadecimal */
  readonly sha256: string;
}

/** The buffers of a stream, which are hashed while they are read. `digest` is to be called once, after the last one. */
export function hashWhileReading(stream: AsyncIterable<unknown>) {
  const hash = createHash('sha256');
  let size = 0;
  async function* read(): AsyncGenerator<Buffer> {
    for await (const chunk of stream) {
      if (!Buffer.isBuffer(chunk)) continue;
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
  }
  return { bytes: read(), digest: (): Digest => ({ size, sha256: hash.digest('hex') }) };
}

/** Reads a stream of buffers completely. */
export async function digestOf(stream: AsyncIterable<unknown>): Promise<Digest> {
  const { bytes, digest } = hashWhileReading(stream);
  for await (const _ of bytes);
  return digest();
}

/** Writes a stream of buffers to an empty file, flushes it to the disk and closes it. */
export async function writeAndFlush(
  file: FileHandle,
  stream: AsyncIterable<unknown>,
): Promise<Digest> {
  try {
    const { bytes, digest } = hashWhileReading(stream);
    await file.writeFile(bytes);
    await file.sync();
    return digest();
  } finally {
    await file.close();
  }
}

/** Writes a new file that only this user may read, and flushes it to the disk. */
export async function writeNewFile(path: string, bytes: AsyncIterable<unknown>): Promise<Digest> {
  return writeAndFlush(await open(path, 'wx', 0o600), bytes);
}
