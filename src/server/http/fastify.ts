import * as texts from '#messages/service/http.ts';
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { fastifyCookie } from '@fastify/cookie';
import {
  fastify,
  LogController,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyHttpOptions,
} from 'fastify';
import type { Config } from '../config.ts';
import { limitConnections } from './load-shedding/connection-limit.ts';
import { closeSlowClients } from './load-shedding/slow-clients.ts';
import { toLoggedError } from './monitoring/logged-errors.ts';
import { drainAndSendError } from './send-answer.ts';
import { answerParserError } from './error-answers.ts';
import { pathOf } from './paths.ts';
import { setSecurityHeaders } from './security-headers.ts';
import { ApiError } from '#shared/contract/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** the code of the error that was answered, for the log */
    errorCode: string | null;
  }
}

/** Time limit of a request after its headers, in milliseconds: a large file on a slow connection takes long. */
const BODY_TIMEOUT = 30 * 60_000;
/** The interval at which connections with incomplete headers are checked, in milliseconds. */
const HEADER_CHECK_INTERVAL = 5_000;
/** TCP keep-alive delay: when an idle peer is probed, in milliseconds. */
const KEEP_ALIVE_DELAY = 30_000;
/** A request id of the client is used only in this form, so that a client cannot forge log lines. */
const REQUEST_ID = /^[\w.:+/=@-]{1,128}$/;

type ServerConfig = Pick<
  Config,
  'logLevel' | 'trustedProxies' | 'headerSeconds' | 'stallSeconds' | 'maxConnections'
>;

/**
 * A Fastify instance configured for the service, without routes.
 * @param refuseUnknown rejects with the error for an address that cannot be parsed
 */
export function createFastify(
  config: ServerConfig,
  refuseUnknown: (request: FastifyRequest) => Promise<never>,
): FastifyInstance {
  const answerBadAddress = async (request: FastifyRequest, reply: FastifyReply) => {
    // Hooks do not run for this answer.
    setSecurityHeaders(request, reply);
    try {
      await refuseUnknown(request);
    } catch (error) {
      drainAndSendError(error, request, reply);
    }
  };
  const app = fastify({
    ...optionsOf(config),
    frameworkErrors: (_error, request, reply) => void answerBadAddress(request, reply),
    clientErrorHandler(error, socket) {
      answerParserError(app.log, error, socket);
    },
  });
  // Registered only for its functions, which client.ts and the sessions use.
  void app.register(fastifyCookie, { hook: false });
  app.decorateRequest('signedIn', null);
  app.decorateRequest('errorCode', null);
  // Routes read bodies themselves, after all earlier checks.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  app.setErrorHandler((error, request, reply) => drainAndSendError(error, request, reply));
  app.addHook('onRequest', (request, reply, done) => {
    setSecurityHeaders(request, reply);
    requireOneHost(request);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    logRequest(request, reply);
    done();
  });
  limitConnections(app.server, config.maxConnections);
  const stop = closeSlowClients(app.server, config.stallSeconds * 1000);
  app.addHook('onClose', async () => stop());
  // An unknown expectation may be ignored (RFC 9110, section 10.1.1).
  app.server.on('checkExpectation', (request, response) => app.routing(request, response));
  return app;
}

function optionsOf({ logLevel, trustedProxies, headerSeconds }: ServerConfig) {
  const headersTimeout = headerSeconds * 1000;
  // Node requires this to be longer than the headers timeout.
  const requestTimeout = headersTimeout + BODY_TIMEOUT;
  return {
    logger:
      logLevel === 'silent'
        ? false
        : {
            level: logLevel,
            stream: process.stderr,
            serializers: { err: (error) => toLoggedError(error) },
          },
    // One line per request, below, instead of two.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: ({ headers }) => clientRequestId(headers['x-request-id']) ?? randomUUID(),
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    requestTimeout,
    // Requests that were accepted are finished while the service stops.
    return503OnClosing: false,
    // Node's answer would not have our error body; the request is rejected by `requireOneHost`.
    http: {
      requireHostHeader: false,
      headersTimeout,
      // Fastify sets its own value only after Node has compared the two.
      requestTimeout,
      connectionsCheckingInterval: Math.min(HEADER_CHECK_INTERVAL, headerSeconds * 500),
      // Otherwise a vanished peer is never detected.
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_DELAY,
    },
    routerOptions: {
      ignoreDuplicateSlashes: true,
      ignoreTrailingSlash: true,
      // Node limits the length of the whole address.
      maxParamLength: 100_000,
      // query.ts parses the query, more strictly.
      querystringParser: () => ({}),
    },
    // Fastify would load its own compilers of schemas, a hundred modules.
    schemaController: {
      compilersFactory: { buildValidator: refuseSchema, buildSerializer: refuseSchema },
    },
  } satisfies FastifyHttpOptions<Server>;
}

/** @throws {ApiError} 400 without the header `Host`, or with several */
function requireOneHost({ raw, headers }: FastifyRequest): void {
  if (raw.httpVersion === '1.1' && headers.host === undefined) {
    throw new ApiError('malformed', texts.noHost);
  }
  // Node uses the first value; a proxy may have used another one (RFC 9112, section 3.2).
  if (countHeader('host', raw.rawHeaders) > 1) {
    throw new ApiError('malformed', texts.severalHosts);
  }
}

function logRequest(request: FastifyRequest, reply: FastifyReply): void {
  request.log.info(
    {
      method: request.method,
      // Without the query, which may contain search terms.
      path: pathOf(request.raw.url ?? ''),
      status: reply.statusCode,
      error: request.errorCode ?? undefined,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      address: request.ip,
      user: request.signedIn?.username,
    },
    'request',
  );
}

/** Calls check their bodies by zod schemas themselves (body-validation.ts), so no Fastify route has a schema. */
function refuseSchema(): never {
  throw new Error('A Fastify route must have no schema.');
}

function clientRequestId(given: string | string[] | undefined): string | undefined {
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : undefined;
}

/** @param rawHeaders alternating names and values */
function countHeader(name: string, rawHeaders: readonly string[]): number {
  return rawHeaders.filter((given, i) => i % 2 === 0 && given.toLowerCase() === name).length;
}
