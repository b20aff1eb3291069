import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ByteRange } from '#server/http/byte-range.ts';
import type { S3Client } from './client.ts';

/** How often one download may go on where it was cut, without a byte between. */
const MOST_CUTS = 3;
/** How long a reader waits for bytes before it asks for the rest anew, in milliseconds. */
const SILENCE = 10_000;

/** Reads an object; where the connection is cut, the rest is asked for anew. @throws {S3Error} */
export async function download(
  client: S3Client,
  key: string,
  range?: ByteRange,
): Promise<Readable> {
  const response = await client.get(key, range);
  const first = range?.first ?? 0;
  const last = range?.last ?? Number(response.headers['content-length']) - 1;
  const bytes = Readable.from(bytesOf(client, key, { first, last }, response), {
    objectMode: false,
  });
  // Also where nobody has begun to read.
  return bytes.once('close', () => response.destroy());
}

async function* bytesOf(
  client: S3Client,
  key: string,
  { first, last }: ByteRange,
  begun: IncomingMessage,
): AsyncGenerator<Buffer> {
  let response = begun;
  let next = first;
  let cuts = 0;
  const restart = () =>
    setTimeout(() => response.destroy(new Error('It does not go on.')), SILENCE);
  let timer = restart();
  try {
    for (;;) {
      try {
        for await (const chunk of response) {
          // A slow reader is not the store's fault.
          clearTimeout(timer);
          if (!Buffer.isBuffer(chunk)) continue;
          next += chunk.length;
          cuts = 0;
          yield chunk;
          timer = restart();
        }
      } catch (error) {
        if (next <= last && ++cuts > MOST_CUTS) throw error;
      }
      if (next > last) return;
      clearTimeout(timer);
      response = await client.get(key, { first: next, last });
      timer = restart();
    }
  } finally {
    clearTimeout(timer);
    response.destroy();
  }
}
