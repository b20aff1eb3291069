import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import { prepareAnswer, drainAndSendError } from './send-answer.ts';
import type { Transaction } from '#server/database/database.ts';
import { authorize, withAuthorizedReads } from './authorization.ts';
import { bodyTooSlow, hasBody, MAX_ANONYMOUS_BODY_BYTES, readWithDeadline } from './body.ts';
import { clientOf } from './client.ts';
import { paramsOf, readInput, readQueryOf, requireBody } from './request-input.ts';
import { BASE, fillModules } from './paths.ts';
import { contextOf } from './read-context.ts';
import {
  statusOf,
  type AnyRoute,
  type PreparedRoute,
  type PublicRoute,
  type Registrar,
  type Route,
  type RouteDescription,
  type Targets,
} from './route.ts';
import type { HttpServices } from './http-services.ts';
import { requireSameSite } from './session.ts';
import { WriteCall } from './write-call.ts';

/*
 * What every call goes through, in the order in which errors are answered (docs/interface/decisions.md, section 3):
 *
 *   load-shedding/          503    slots and turns, shared fairly
 *   unmatched-requests.ts   404, 405, of paths and methods without a call
 *   session.ts              403 cross_site; 401; 409 other_session
 *   authorization.ts        404 of an archive or table that the user may not see; 403
 *   checkPath of the call   404 of a definition
 *   body.ts, form.ts        415, 413, 400
 *   query.ts                400
 *   body-validation.ts      422, with all errors of the body together
 *   idempotency.ts          the first answer again; 409
 *   the call                412, 422, 423, 409
 *
 * The session and the right are checked within the transaction of the call, so that a write never outlives either. A call
 * that reads has one snapshot for all of it, one that writes (write-call.ts) one transaction.
 */

/** A registered call, for the OpenAPI document and 405 answers: `config.call` of its Fastify route. */
export interface RegisteredCall {
  readonly route: RouteDescription<unknown>;
  readonly target: keyof Targets;
  /** the whole path, with `:parameters` */
  readonly pattern: string;
  /** whether it needs a session */
  readonly session: boolean;
  readonly isForAdministrators: boolean;
  /** the title of its error pages; undefined: errors are JSON */
  readonly errorPage?: string | undefined;
  /** whether an `Idempotency-Key` is respected */
  readonly idempotent: boolean;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Registers calls with the behaviour that `Route` describes. */
    addCalls(routes: readonly AnyRoute[]): void;
  }
  interface FastifyContextConfig {
    call?: RegisteredCall;
  }
}

/** Adds `app.addCalls`, with which modules register their calls. */
export function addRequestPipeline(app: FastifyInstance, services: HttpServices): void {
  const registrar = new FastifyRegistrar(app, services);
  app.decorate('addCalls', (routes) => {
    for (const route of routes) route.register(registrar);
  });
}

class FastifyRegistrar implements Registrar {
  readonly #app: FastifyInstance;
  readonly #services: HttpServices;

  constructor(app: FastifyInstance, services: HttpServices) {
    this.#app = app;
    this.#services = services;
  }

  add<Target extends keyof Targets, Body>(route: Route<Target, Body>): void {
    if (route.method === 'GET') this.#addRead(route);
    else this.#addWrite(route);
  }

  addPrepared<Target extends keyof Targets, Body>(route: PreparedRoute<Target, Body>): void {
    this.#addWrite(route);
  }

  /** A call without a session: its body is small and must arrive within a few seconds. */
  addPublic<Body>(route: PublicRoute<Body>): void {
    const services = this.#services;
    const { errorPage } = route;
    const about = {
      target: 'none',
      session: false,
      isForAdministrators: false,
      idempotent: false,
      errorPage,
    } as const;
    const { call, ...options } = this.#describe(route, about);
    this.#app.route({
      ...options,
      // A provider's code can be redeemed only once.
      exposeHeadRoute: false,
      ...(errorPage === undefined
        ? {}
        : {
            errorHandler: (error, request, reply) =>
              drainAndSendError(error, request, reply, errorPage),
          }),
      config: { ...options.config, cost: 'sign-in' },
      onRequest: async (request) => {
        if (!route.isForAnySite) requireSameSite(request);
        replaceMediaType(request);
      },
      handler: async (request, reply) => {
        const maxBodyBytes = Math.min(services.maxBodyBytes, MAX_ANONYMOUS_BODY_BYTES);
        const { anonymousBodySeconds: seconds } = services;
        const reading = readInput(request, route, { ...services, maxBodyBytes });
        const { body } = await readWithDeadline(reading, seconds, async () => {
          throw bodyTooSlow(seconds);
        });
        await request.takeTurn();
        const query = readQueryOf(request, route);
        const disconnected = new AbortController();
        reply.raw.once('close', () => disconnected.abort());
        const answer = await route.handle(services.database, {
          client: clientOf(request),
          query,
          search: /\?[^#]*/.exec(request.raw.url ?? '')?.[0] ?? '',
          signal: disconnected.signal,
          log: request.log,
          call,
          body: await requireBody(route, body),
        });
        return prepareAnswer(services.database, request, reply, answer, statusOf(route));
      },
    });
  }

  /** The body of a GET has no meaning (RFC 9110, section 9.3.1). */
  #addRead<Target extends keyof Targets, Body>(route: Route<Target, Body>): void {
    const services = this.#services;
    const { target, isForAdministrators = false } = route;
    const about = { target, session: true, isForAdministrators, idempotent: false };
    const { call, ...options } = this.#describe(route, about);
    this.#app.route({
      ...options,
      // An endless stream has no length.
      exposeHeadRoute: route.cost !== 'stream',
      handler: async (request, reply) => {
        const client = clientOf(request);
        const params = paramsOf(request);
        await request.takeTurn();
        const authorized = (db: Transaction) =>
          authorize(services, db, request, { client, params, call: route });
        const [authorization, answer] = await services.database.read(
          async (db) => {
            const allowed = await authorized(db);
            await route.checkPath?.(db, params, allowed.caller);
            const handled = await route.handle(db, {
              ...allowed,
              client,
              call,
              params,
              query: readQueryOf(request, route),
              body: await requireBody(route, undefined),
              ifMatch: request.headers['if-match'] ?? null,
              lastEventId: lastEventIdOf(request),
            });
            return [allowed, handled] as const;
          },
          contextOf(request, reply),
        );
        const ofStream = withAuthorizedReads(services.database, authorization, authorized);
        return prepareAnswer(ofStream, request, reply, answer, statusOf(route));
      },
    });
  }

  #addWrite<Target extends keyof Targets, Body>(
    route: Route<Target, Body> | PreparedRoute<Target, Body>,
  ): void {
    const { target, isForAdministrators = false, idempotency } = route;
    const idempotent = idempotency !== 'none';
    const about = { target, session: true, isForAdministrators, idempotent };
    const { call, ...options } = this.#describe(route, about);
    const write = new WriteCall(this.#services, route, call);
    this.#app.route({
      ...options,
      onRequest: async (request) => {
        await write.onRequest(request);
        replaceMediaType(request);
      },
      handler: (request, reply) => write.handle(request, reply),
    });
  }

  /** The options of a call's Fastify route, and the call's name in the history. */
  #describe(route: RouteDescription<unknown>, about: Omit<RegisteredCall, 'route' | 'pattern'>) {
    const { method, cost } = route;
    const path = fillModules(route.path, this.#services.modules);
    const url = BASE + path;
    const call: RegisteredCall = { route, pattern: url, ...about };
    const config: FastifyContextConfig = cost === undefined ? { call } : { call, cost };
    return { call: `${method} ${path}`, method, url, config };
  }
}

function lastEventIdOf({ headers }: FastifyRequest): string | null {
  const given = headers['last-event-id'];
  return typeof given === 'string' ? given : null;
}

const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(?:;|$)/;

/**
 * Without a body its media type has no meaning, and Fastify must not reject it. A body that is sent in chunks may be
 * empty. Therefore an invalid media type is replaced by one that only calls with a body refuse.
 */
function replaceMediaType({ raw }: FastifyRequest): void {
  const type = raw.headers['content-type'];
  if (!hasBody(raw)) delete raw.headers['content-type'];
  else if (type !== undefined && !MEDIA_TYPE.test(type)) {
    raw.headers['content-type'] = 'application/octet-stream';
  }
}
