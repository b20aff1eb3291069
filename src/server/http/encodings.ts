import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Of fewer bytes the compressed form is hardly shorter, and headers weigh more. */
const LEAST = 1_000;
/** Half a millisecond for a page of a list, on a thread beside; the levels above gain a hundredth. */
const LEVEL = 5;
const zip = promisify(gzip);

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

/**
 * The text of an answer as it is sent: compressed where that is worth it and the client takes it.
 * What carries a strong ETag stays as it is, byte by byte the same for everybody.
 */
export async function encoded(
  request: FastifyRequest,
  reply: FastifyReply,
  text: string,
): Promise<string | Buffer> {
  if (text.length < LEAST || reply.hasHeader('etag')) return text;
  reply.header('vary', 'accept-encoding');
  if (!takes(request, 'gzip')) return text;
  const bytes = await zip(text, { level: LEVEL });
  reply.header('content-encoding', 'gzip');
  return bytes;
}
