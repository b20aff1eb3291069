import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Below this size compression saves hardly anything, and headers weigh more. */
const MIN_COMPRESSED_BYTES = 1_000;
/** Half a millisecond for a page of a list, in a separate thread; higher levels gain one percent. */
const LEVEL = 5;
const gzipAsync = promisify(gzip);
const encoder = new TextEncoder();

/** Whether the client accepts this encoding (RFC 9110, section 12.5.3). */
export function acceptsEncoding({ headers }: FastifyRequest, encoding: 'gzip' | 'br'): boolean {
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

/** JSON that one thread transfers to another. */
export interface JsonBytes {
  /** UTF-8, in a separate buffer */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isGzipped: boolean;
}

/**
 * Serializes JSON, in a thread that answers no other requests.
 * @param compress compresses it if it is large enough
 */
export function writeJson(value: object, compress: boolean): JsonBytes {
  const bytes = encoder.encode(JSON.stringify(value));
  if (!compress || bytes.length < MIN_COMPRESSED_BYTES) return { bytes, isGzipped: false };
  return { bytes: new Uint8Array(gzipSync(bytes, { level: LEVEL })), isGzipped: true };
}

export function isJsonBytes(value: unknown): value is JsonBytes {
  return typeof value === 'object' && value !== null && 'isGzipped' in value && 'bytes' in value;
}

/**
 * The text of an answer as it is sent: compressed if it is large enough and the client accepts it. An answer with a
 * strong ETag is not compressed, because it must be the same bytes for every client.
 */
export async function compressAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: string | JsonBytes,
): Promise<string | Buffer> {
  const text = typeof answer === 'string' ? answer : Buffer.from(answer.bytes.buffer);
  const isGzipped = typeof answer !== 'string' && answer.isGzipped;
  if (!isGzipped && (text.length < MIN_COMPRESSED_BYTES || reply.hasHeader('etag'))) return text;
  reply.header('vary', 'accept-encoding');
  if (!isGzipped && !acceptsEncoding(request, 'gzip')) return text;
  reply.header('content-encoding', 'gzip');
  return isGzipped ? text : gzipAsync(text, { level: LEVEL });
}
