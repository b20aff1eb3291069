import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasBody } from './body.ts';

/** How long a client may continue to send a body after its answer, in milliseconds. */
const MAX_DRAIN_TIME = 120_000;
const MAX_ANONYMOUS_DRAIN_TIME = 5_000;

/**
 * Called before an answer is sent. If the body has not been read completely, the rest is read and discarded after the
 * answer: closing the connection while the client still sends would make it lose the answer.
 */
export function drainRequestBody({ raw, signedIn }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || !hasBody(raw)) return;
  const maxTime = signedIn === null ? MAX_ANONYMOUS_DRAIN_TIME : MAX_DRAIN_TIME;
  const wantsClose = /\bclose\b/i.test(raw.headers.connection ?? '');
  // Otherwise Node closes the connection as soon as the answer is written.
  reply.raw.shouldKeepAlive = true;
  reply.raw.once('finish', () => {
    const timer = setTimeout(() => raw.destroy(), maxTime).unref();
    raw.once('close', () => clearTimeout(timer));
    raw.once('end', () => {
      clearTimeout(timer);
      if (wantsClose) raw.socket.end();
    });
    raw.unpipe();
    raw.resume();
  });
}
