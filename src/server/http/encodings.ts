import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Of fewer bytes the compressed form is hardly shorter, and headers weigh more. */
const MIN_COMPRESSED_BYTES = 1_000;
/** Half a millisecond for a page of a list, on a thread beside; the levels above gain a hundredth. */
const LEVEL = 5;
const zipped = promisify(gzip);
const encoder = new TextEncoder();

/** Whether the client takes an answer in this encoding (RFC 9110, section 12.5.3). */
export function takes({ headers }: FastifyRequest, encoding: 'gzip' | 'br'): boolean {
  let named: boolean | undefined;
  let any = false;
  for (const part of (headers['accept-encoding'] ?? '').toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const wanted = !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
    if (name === encoding) named = wanted;
    if (name === '*') any = wanted;
  }
  return named ?? any;
}

/** JSON as one thread hands it over to another. */
export interface JsonBytes {
  /** in UTF-8, in a buffer of its own */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly gzipped: boolean;
}

/**
 * Writes JSON, in a thread that answers no other requests.
 * @param zip compresses it, where that is worth it
 */
export function writeJson(value: object, zip: boolean): JsonBytes {
  const bytes = encoder.encode(JSON.stringify(value));
  if (!zip || bytes.length < MIN_COMPRESSED_BYTES) return { bytes, gzipped: false };
  return { bytes: new Uint8Array(gzipSync(bytes, { level: LEVEL })), gzipped: true };
}

export function isJsonBytes(value: unknown): value is JsonBytes {
  return typeof value === 'object' && value !== null && 'gzipped' in value && 'bytes' in value;
}

/**
 * The text of an answer as it is sent: compressed where that is worth it and the client takes it.
 * What carries a strong ETag stays as it is, byte by byte the same for everybody.
 */
export async function encoded(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: string | JsonBytes,
): Promise<string | Buffer> {
  const text = typeof answer === 'string' ? answer : Buffer.from(answer.bytes.buffer);
  const isGzipped = typeof answer !== 'string' && answer.gzipped;
  if (!isGzipped && (text.length < MIN_COMPRESSED_BYTES || reply.hasHeader('etag'))) return text;
  reply.header('vary', 'accept-encoding');
  if (!isGzipped && !takes(request, 'gzip')) return text;
  reply.header('content-encoding', 'gzip');
  return isGzipped ? text : zipped(text, { level: LEVEL });
}
