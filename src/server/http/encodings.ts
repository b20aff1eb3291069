import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { COMPRESSION_LEVEL, MIN_COMPRESSED_BYTES, type JsonBytes } from '../workers/json-bytes.ts';

const gzipAsync = promisify(gzip);

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
  return isGzipped ? text : gzipAsync(text, { level: COMPRESSION_LEVEL });
}
