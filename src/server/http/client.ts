import { fastifyCookie } from '@fastify/cookie';
import type { FastifyRequest } from 'fastify';
import { acceptsEncoding } from './encodings.ts';
import { withinNetworks } from '#server/lib/networks.ts';
import type { Client } from './route.ts';

const MAX_AGENT_LENGTH = 300;

/** The origin of a request; headers of a proxy count only if Fastify's `trustProxy` allows it. */
export function clientOf(request: FastifyRequest): Client {
  const { cookie, origin, 'user-agent': agent } = request.headers;
  return {
    address: request.ip,
    isKnown: request.isKnownClient,
    isSecure: request.protocol === 'https',
    get isLocal() {
      return isLoopback(request.raw.socket.remoteAddress ?? '') && !isForwarded(request);
    },
    host: request.host,
    // Evaluated on demand, because few calls need it.
    get acceptsGzip() {
      return acceptsEncoding(request, 'gzip');
    },
    userAgent: agent === undefined ? null : agent.slice(0, MAX_AGENT_LENGTH),
    isBrowser: origin !== undefined || request.headers['sec-fetch-site'] !== undefined,
    isFromOtherSite: isFromOtherSite(request),
    cookies: new Map(cookie ? Object.entries(fastifyCookie.parse(cookie)) : []),
  };
}

const isLoopback = withinNetworks(['loopback']);

/** Headers that proxies add, and headers of programs that hide `X-Forwarded-For` from the service. */
const FORWARDING_HEADER =
  /^(?:forwarded|via|x-forwarded(?:-.+)?|x-(?:real|client|cluster-client|original-forwarded)-?(?:ip|for)|true-client-ip|cf-connecting-ip)$/;

/** Whether any header shows that the request has passed a proxy, trusted or not. */
export function isForwarded({ headers }: FastifyRequest): boolean {
  return Object.keys(headers).some((name) => FORWARDING_HEADER.test(name));
}

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/** Whether the method changes nothing (RFC 9110, section 9.2.1). */
export function hasSafeMethod({ method }: FastifyRequest): boolean {
  return SAFE_METHODS.has(method);
}

/**
 * Whether a request that may change something comes from a page of another site (docs/interface/decisions.md, section
 * 2). A request without the headers that browsers add comes from a script.
 */
export function isCrossSite(request: FastifyRequest): boolean {
  if (hasSafeMethod(request)) return false;
  if (isFromOtherSite(request)) return true;
  const { origin } = request.headers;
  return origin !== undefined && !isSameOrigin(origin, request);
}

/** As in Fetch Metadata Request Headers, `Sec-Fetch-Site`; `none` is an action of the user, such as a bookmark. */
function isFromOtherSite({ headers }: FastifyRequest): boolean {
  const site = headers['sec-fetch-site'];
  return site !== undefined && site !== 'same-origin' && site !== 'none';
}

/**
 * A proxy that terminates https without being trusted makes the request look like plain http, so the scheme is compared
 * only if https is certain; host and port must always be equal.
 */
function isSameOrigin(origin: string, request: FastifyRequest): boolean {
  const sent = URL.parse(origin);
  if (!sent || (sent.protocol !== 'https:' && sent.protocol !== 'http:')) return false;
  if (request.protocol === 'https' && sent.protocol !== 'https:') return false;
  const requested = URL.parse(`${sent.protocol}//${request.host}`);
  return requested !== null && sent.origin === origin.toLowerCase() && requested.host === sent.host;
}
