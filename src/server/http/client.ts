import { fastifyCookie } from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import { takes } from './encodings.ts';
import { withinNetworks } from './load-shedding/networks.ts';
import type { Client } from './route.ts';

const MAX_AGENT_LENGTH = 300;

/** Where a request came from; what a proxy says counts only where Fastify's `trustProxy` names it. */
export function clientOf(request: FastifyRequest): Client {
  const { cookie, origin, 'user-agent': agent } = request.headers;
  return {
    address: request.ip,
    isKnown: request.isKnownClient,
    secure: request.protocol === 'https',
    get isLocal() {
      return isLoopback(request.raw.socket.remoteAddress ?? '') && !isForwarded(request);
    },
    host: request.host,
    // Few ask: not for each save.
    get takesGzip() {
      return takes(request, 'gzip');
    },
    userAgent: agent === undefined ? null : agent.slice(0, MAX_AGENT_LENGTH),
    browser: origin !== undefined || request.headers['sec-fetch-site'] !== undefined,
    isFromOtherSite: isFromOtherSite(request),
    cookies: new Map(cookie ? Object.entries(fastifyCookie.parse(cookie)) : []),
  };
}

const isLoopback = withinNetworks(['loopback']);

/** What proxies add, and what those add that hide `X-Forwarded-For` from the service. */
const FORWARDING_HEADER =
  /^(?:forwarded|via|x-forwarded(?:-.+)?|x-(?:real|client|cluster-client|original-forwarded)-?(?:ip|for)|true-client-ip|cf-connecting-ip)$/;

/** Whether any header says that the request has passed a proxy, trusted or not. */
function isForwarded({ headers }: FastifyRequest): boolean {
  return Object.keys(headers).some((name) => FORWARDING_HEADER.test(name));
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
  if (isFromOtherSite(request)) return true;
  const { origin } = request.headers;
  return origin !== undefined && !isOwnOrigin(origin, request);
}

/** As Fetch Metadata Request Headers defines `Sec-Fetch-Site`; `none` is the user's own doing, as a bookmark is. */
function isFromOtherSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
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
