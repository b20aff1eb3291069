import { fastifyCookie } from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import { takes } from './encodings.ts';
import type { Client } from './route.ts';

/** Where a request came from; what a proxy says counts only where Fastify's `trustProxy` names it. */
export function clientOf(request: FastifyRequest): Client {
  const { cookie, origin } = request.headers;
  return {
    address: request.ip,
    isKnown: request.isKnownClient,
    secure: request.protocol === 'https',
    // Few ask: not for each save.
    get takesGzip() {
      return takes(request, 'gzip');
    },
    browser: origin !== undefined || request.headers['sec-fetch-site'] !== undefined,
    cookies: new Map(cookie ? Object.entries(fastifyCookie.parse(cookie)) : []),
  };
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Whether the method changes nothing (RFC 9110, section 9.2.1). */
export function hasSafeMethod({ method }: FastifyRequest): boolean {
  return SAFE_METHODS.has(method);
}

/**
 * Whether a request that may change something comes from another site's page
 * (docs/interface/decisions.md, section 2). Without the headers that browsers add it is a script's.
 */
export function isCrossSite(request: FastifyRequest): boolean {
  if (hasSafeMethod(request)) return false;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  const { origin } = request.headers;
  return origin !== undefined && !isOwnOrigin(origin, request);
}

/**
 * A proxy that ends https without being trusted makes the request look like plain http, so the scheme counts
 * only where https is certain; host and port must be the same in any case.
 */
function isOwnOrigin(origin: string, request: FastifyRequest): boolean {
  const sent = URL.parse(origin);
  if (!sent || (sent.protocol !== 'https:' && sent.protocol !== 'http:')) return false;
  if (request.protocol === 'https' && sent.protocol !== 'https:') return false;
  const own = URL.parse(`${sent.protocol}//${request.host}`);
  return own !== null && sent.origin === origin.toLowerCase() && own.host === sent.host;
}
