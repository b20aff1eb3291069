import type { FastifyReply, FastifyRequest } from 'fastify';

/** For a year, a browser that has used https uses only https for this host and its subdomains. */
const STRICT_TRANSPORT = `max-age=${365 * 24 * 60 * 60}; includeSubDomains`;

/** The default policy of answers: data, which loads nothing and is shown in no frame. */
export const DATA_POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Sets the headers of every answer; the routes of pages and files replace the policy. */
export function setSecurityHeaders(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-content-type-options', 'nosniff');
  reply.header('content-security-policy', DATA_POLICY);
  // Raw headers, because another library sends the files of the web admin.
  reply.raw.setHeader('x-request-id', request.id);
  reply.raw.setHeader('referrer-policy', 'same-origin');
  if (request.protocol === 'https') {
    reply.raw.setHeader('strict-transport-security', STRICT_TRANSPORT);
  }
}
