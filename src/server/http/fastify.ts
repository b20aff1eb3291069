import * as texts from '#messages/service/http.ts';
import { randomUUID } from 'node:crypto';
import { fastifyCookie } from '@fastify/cookie';
import {
  fastify,
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Config } from '../config.ts';
import { limitConnections } from './load-shedding/connection-limit.ts';
import { cutSlowClients } from './load-shedding/slow-clients.ts';
import { withoutValues } from './monitoring/logged-errors.ts';
import { refuse } from './answering.ts';
import { answerUnparsed } from './error-answers.ts';
import { pathOf } from './paths.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { ApiError } from '#shared/contract/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** the code of the error that was answered, for the log */
    errorCode: string | null;
  }
}

/** How long a request may take once its headers are read, in milliseconds: a large file over a slow line takes long. */
const BODY_TIMEOUT = 30 * 60_000;
/** The interval of the check for connections that have not sent all of their headers, in milliseconds. */
const LOOK_AT_HEADERS_EVERY = 5_000;
/** A peer that says nothing for so long is asked whether it is still there, in milliseconds. */
const PROBE_AFTER = 30_000;
/** A request id of the client is used if it has this form, so that a client cannot write into the log. */
const REQUEST_ID = /^[\w.:+/=@-]{1,128}$/;

/**
 * Fastify as the service needs it, still without routes.
 * @param refuseUnknown rejects with what is answered where an address cannot be taken apart
 */
export function createFastify(
  {
    logLevel,
    trustedProxies,
    headerSeconds,
    stallSeconds,
    maxConnections,
  }: Pick<
    Config,
    'logLevel' | 'trustedProxies' | 'headerSeconds' | 'stallSeconds' | 'maxConnections'
  >,
  refuseUnknown: (request: FastifyRequest) => Promise<never>,
): FastifyInstance {
  const answerBadAddress = async (request: FastifyRequest, reply: FastifyReply) => {
    // No hooks run for it.
    setSecurityHeaders(request, reply);
    try {
      await refuseUnknown(request);
    } catch (error) {
      refuse(error, request, reply);
    }
  };
  const headersTimeout = headerSeconds * 1000;
  // Node wants it to be the longer one.
  const requestTimeout = headersTimeout + BODY_TIMEOUT;
  const app = fastify({
    logger:
      logLevel === 'silent'
        ? false
        : {
            level: logLevel,
            stream: process.stderr,
            serializers: { err: (error) => withoutValues(error) },
          },
    // One line per request, below, instead of two.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }) => takenOver(headers['x-request-id']) ?? randomUUID(),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    requestTimeout,
    // What was accepted is finished while the service stops.
    return503OnClosing: false,
    // Its answer would not have the decided body; it is refused below.
    http: {
      requireHostHeader: false,
      headersTimeout,
      // Fastify sets its own only after node has compared the two.
      requestTimeout,
      connectionsCheckingInterval: Math.min(LOOK_AT_HEADERS_EVERY, headerSeconds * 500),
      // Otherwise a peer that has vanished is never noticed.
      keepAlive: true,
      keepAliveInitialDelay: PROBE_AFTER,
    },
    routerOptions: {
      ignoreDuplicateSlashes: true,
      ignoreTrailingSlash: true,
      // node limits the whole address.
      maxParamLength: 100_000,
      // The query is read by query.ts, which is stricter.
      querystringParser: () => ({}),
    },
    frameworkErrors: (_error, request, reply) => void answerBadAddress(request, reply),
    clientErrorHandler(error, socket) {
      answerUnparsed(app.log, error, socket);
    },
  });
  // Only so that its functions work, which client.ts and the sessions use.
  void app.register(fastifyCookie, { hook: false });
  app.decorateRequest('signedIn', null);
  app.decorateRequest('errorCode', null);
  // Bodies are read by the routes, once everything that comes before is decided.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  app.setErrorHandler((error, request, reply) => refuse(error, request, reply));
  app.addHook('onRequest', async (request, reply) => {
    setSecurityHeaders(request, reply);
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      throw new ApiError('malformed', texts.noHost);
    }
    // Node uses the first; a proxy may have used another one (RFC 9112, section 3.2).
    if (countOf('host', request.raw.rawHeaders) > 1) {
      throw new ApiError('malformed', texts.severalHosts);
    }
  });
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        method: request.method,
        // Without the query, which holds what people search for.
        path: pathOf(request.raw.url ?? ''),
        status: reply.statusCode,
        error: request.errorCode ?? undefined,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        address: request.ip,
        user: request.signedIn?.username,
      },
      'request',
    );
  });
  limitConnections(app.server, maxConnections);
  const stop = cutSlowClients(app.server, stallSeconds * 1000);
  app.addHook('onClose', async () => stop());
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
  return app;
}

function takenOver(given: string | string[] | undefined): string | undefined {
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : undefined;
}

/** @param rawHeaders names and values in turn */
function countOf(name: string, rawHeaders: readonly string[]): number {
  return rawHeaders.filter((given, i) => i % 2 === 0 && given.toLowerCase() === name).length;
}
