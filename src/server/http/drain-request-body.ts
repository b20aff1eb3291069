import type { FastifyReply, FastifyRequest } from 'fastify';
import { hasBody } from './body.ts';

/** How long a client may continue to send a body that is answered already, in milliseconds. */
const MAX_DRAIN_TIME = 120_000;
const MAX_ANONYMOUS_DRAIN_TIME = 5_000;

/**
 * Called before an answer is sent. Where the body has not been read to its end, the rest is read and thrown
 * away after the answer: closing the connection on a client that still sends would take the answer from it.
 */
export function drainRequestBody({ raw, signedIn }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete || !hasBody(raw)) return;
  const longest = signedIn === null ? MAX_ANONYMOUS_DRAIN_TIME : MAX_DRAIN_TIME;
  const wantsClose = /\bclose\b/i.test(raw.headers.connection ?? '');
  // Otherwise node closes as soon as the answer is written.
  reply.raw.shouldKeepAlive = true;
  reply.raw.once('finish', () => {
    const timer = setTimeout(() => raw.destroy(), longest).unref();
    raw.once('close', () => clearTimeout(timer));
    raw.once('end', () => {
      clearTimeout(timer);
      if (wantsClose) raw.socket.end();
    });
    raw.unpipe();
    raw.resume();
  });
}
