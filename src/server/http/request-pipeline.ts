import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  RouteOptions,
} from 'fastify';
import type { Database, Transaction } from '#server/database/database.ts';
import { requestDigest } from '#server/database/stored-responses.ts';
import { ApiError } from '#shared/errors.ts';
import { finish, sendAnswer, sendFinished } from './answering.ts';
import {
  bodyTooSlow,
  hasBody,
  isReadableBeforeSession,
  MAX_ANONYMOUS_BODY_BYTES,
  readWithin,
} from './body.ts';
import { clientOf } from './client.ts';
import { formBody, removeUploads } from './form.ts';
import { readIdempotencyKey, type FinishedAnswer, type KeyedRequest } from './idempotency.ts';
import { fingerprintOf, readInput, readQueryOf, requireBody, type Input } from './input.ts';
import { BASE, fillModules, pathOf } from './paths.ts';
import { contextOf, readingFor } from './read-context.ts';
import {
  PlanOutdated,
  type AnyRoute,
  type PreparedRoute,
  type PublicRoute,
  type Registrar,
  type Route,
  type RouteDescription,
  type RouteRequest,
  type Targets,
  type WriteStep,
} from './route.ts';
import { admit, refuseCrossSite, type Service } from './service.ts';

/** A registered call, as the OpenAPI document and the answer 405 need it: `config.call` of its Fastify route. */
export interface RegisteredCall {
  readonly route: RouteDescription<unknown>;
  readonly target: keyof Targets;
  /** the whole path, with `:parameters` */
  readonly pattern: string;
  /** whether it needs a session */
  readonly session: boolean;
  /** whether an `Idempotency-Key` is obeyed */
  readonly idempotent: boolean;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Registers calls; see `Route` for what that does for them. */
    addCalls(routes: readonly AnyRoute[]): void;
  }
  interface FastifyContextConfig {
    call?: RegisteredCall;
  }
}

/** Adds `app.addCalls`, by which modules register their calls. */
export function addRequestPipeline(app: FastifyInstance, service: Service): void {
  const registrar = new FastifyRegistrar(app, service);
  app.decorate('addCalls', (routes) => {
    for (const route of routes) route.register(registrar);
  });
}

class FastifyRegistrar implements Registrar {
  readonly #app: FastifyInstance;
  readonly #service: Service;

  constructor(app: FastifyInstance, service: Service) {
    this.#app = app;
    this.#service = service;
  }

  add<Target extends keyof Targets, Body>(route: Route<Target, Body>): void {
    if (route.mode === 'read') this.#addReading(route);
    else this.#addWriting(route);
  }

  addPrepared<Target extends keyof Targets, Body>(route: PreparedRoute<Target, Body>): void {
    this.#addWriting(route);
  }

  addPublic<Body>(route: PublicRoute<Body>): void {
    const service = this.#service;
    const about = { target: 'none', session: false, idempotent: false } as const;
    const { url, config } = this.#place(route, about);
    const call = callOf(route, url);
    this.#app.route({
      method: route.method,
      url,
      config: { ...config, cost: 'sign-in' },
      onRequest: async (request) => {
        refuseCrossSite(request);
        forgetTypeOfNothing(request);
      },
      handler: async (request, reply) => {
        const maxBodyBytes = Math.min(service.maxBodyBytes, MAX_ANONYMOUS_BODY_BYTES);
        const { anonymousBodySeconds: seconds } = service;
        const reading = readInput(request, route, { ...service, maxBodyBytes });
        const { body } = await readWithin(reading, seconds, async () => {
          throw bodyTooSlow(seconds);
        });
        await request.takeTurn();
        readQueryOf(request, route);
        const client = clientOf(request);
        const left = new AbortController();
        reply.raw.once('close', () => left.abort());
        const answer = await route.handle(service.database, {
          client,
          signal: left.signal,
          log: request.log,
          call,
          body: await requireBody(route, body),
        });
        return sendAnswer(request, reply, answer, route.status);
      },
    });
  }

  /** Everything in one snapshot; a body that comes with a GET means nothing (RFC 9110, section 9.3.1). */
  #addReading<Target extends keyof Targets, Body>(route: Route<Target, Body>): void {
    const service = this.#service;
    const about = { target: route.target, session: true, idempotent: false };
    const { url, config } = this.#place(route, about);
    const call = callOf(route, url);
    this.#app.route({
      method: route.method,
      url,
      config,
      // What has no end cannot be measured.
      exposeHeadRoute: route.cost !== 'stream',
      handler: async (request, reply) => {
        refuseCrossSite(request);
        const client = clientOf(request);
        const params = paramsOf(request);
        await request.takeTurn();
        const context = contextOf(request, reply);
        const answer = await service.database.read(async (db) => {
          const admission = await admit(service, db, request, client, params, route);
          const query = readQueryOf(request, route);
          const ifMatch = ifMatchOf(request);
          const lastEventId = lastEventIdOf(request);
          const body = await requireBody(route, undefined);
          return route.handle(db, {
            ...admission,
            client,
            call,
            params,
            query,
            body,
            ifMatch,
            lastEventId,
          });
        }, context);
        return sendAnswer(request, reply, answer, route.status);
      },
    });
  }

  #addWriting<Target extends keyof Targets, Body>(
    route: Route<Target, Body> | PreparedRoute<Target, Body>,
  ): void {
    const service = this.#service;
    const idempotent = route.idempotency !== 'none';
    const about = { target: route.target, session: true, idempotent };
    const { url, config } = this.#place(route, about);
    const call = callOf(route, url);
    // Writes of records lock the records they are about; others may depend on anything.
    const isolation = route.target === 'none' ? 'serializable' : 'row locks';

    const understand = async (request: FastifyRequest, input: Input) => ({
      client: clientOf(request),
      params: paramsOf(request),
      query: readQueryOf(request, route),
      body: await requireBody(route, input.body),
      key: idempotent ? readIdempotencyKey(request.headers['idempotency-key']) : null,
    });
    const answerTo = async (
      request: FastifyRequest,
      reply: FastifyReply,
      input: Input,
      { client, params, query, body, key }: Awaited<ReturnType<typeof understand>>,
    ) => {
      const { database } = service;
      const fingerprint =
        key === null ? '' : await fingerprintOf(request, service, key, input, route.idempotency);
      const keyedFor = ({ caller, target }: RouteRequest<Target, Body>): KeyedRequest | null => {
        if (key === null) return null;
        const { method } = route;
        const path = pathOf(request.raw.url ?? '');
        const digest = requestDigest({ method, path, guid: target?.guid ?? null, query, key });
        return { userId: caller.userId, request: digest, fingerprint, target };
      };
      // Asked again within each transaction: a session or right may have ended since the last time.
      const admitted = async (db: Transaction): Promise<RouteRequest<Target, Body>> => ({
        ...(await admit(service, db, request, client, params, route)),
        client,
        call,
        params,
        query,
        body,
        ifMatch: ifMatchOf(request),
        lastEventId: null,
      });

      type Work = WriteStep<Target, Body>;
      const handle: Work = (db, asked) =>
        'handle' in route
          ? route.handle(db, asked)
          : Promise.reject(new ApiError('unavailable', 'The kept answer is gone. Ask again.'));
      const prepare = preparationOf(route, body);
      const weight = prepare && !('prepare' in route) ? 'large' : 'usual';
      const write = async (work: Work): Promise<FinishedAnswer> => {
        const transaction = async (db: Transaction) => {
          const asked = await admitted(db);
          const keyed = keyedFor(asked);
          if (!keyed) return { answer: await work(db, asked) };
          const once = async () => {
            const answer = await work(db, asked);
            return { ...(await finish(answer, route.status)), records: answer.records ?? [] };
          };
          return { finished: await service.storedAnswers.once(db, keyed, once) };
        };
        const written = await database.write(transaction, isolation, weight);
        return 'finished' in written ? written.finished : finish(written.answer, route.status);
      };
      /** @returns null where an answer is given again: it is found in the transaction, and there is nothing to prepare */
      const prepared = async (prepare: Prepare<Target, Body>): Promise<Work | null> => {
        const before = await database.read(async (db) => {
          const asked = await admitted(db);
          const keyed = keyedFor(asked);
          return { asked, answered: keyed && (await service.storedAnswers.find(db, keyed)) };
        });
        if (before.answered) return null;
        return prepare(readingFor(database, contextOf(request, reply)), before.asked);
      };
      if (!prepare) return sendFinished(request, reply, await write(handle));
      const planned = () => prepared(prepare);
      return sendFinished(request, reply, await writePlanned(planned, handle, write));
    };

    const admitFirst = (request: FastifyRequest) =>
      service.database.read((db) =>
        admit(service, db, request, clientOf(request), paramsOf(request), route),
      );
    // What is asked within the transaction is asked before as well where that spares something.
    const isSpared = (request: FastifyRequest) =>
      isReadableBeforeSession(request.raw) &&
      !Object.is(route.body, formBody) &&
      route.idempotency !== 'secret' &&
      !('prepare' in route) &&
      !route.cost;
    this.#route(route, {
      method: route.method,
      url,
      config,
      onRequest: async (request) => {
        refuseCrossSite(request);
        if (!isSpared(request)) await admitFirst(request);
        forgetTypeOfNothing(request);
      },
      handler: async (request, reply) => {
        let input: Input | undefined;
        try {
          let understood: Awaited<ReturnType<typeof understand>>;
          try {
            const reading = readInput(request, route, service);
            input = isSpared(request)
              ? await readWithin(reading, service.anonymousBodySeconds, () => admitFirst(request))
              : await reading;
            await request.takeTurn();
            understood = await understand(request, input);
          } catch (error) {
            // Who may not do this is told that before anything else, and who is gone, nothing.
            if (isSpared(request) && !request.raw.socket.destroyed) await admitFirst(request);
            throw error;
          }
          return await answerTo(request, reply, input, understood);
        } finally {
          if (input?.form) await removeUploads(input.form);
        }
      },
    });
  }

  #route(route: RouteDescription<unknown>, options: RouteOptions): void {
    if (!Object.is(route.body, formBody)) {
      this.#app.route(options);
      return;
    }
    // The plugin's hooks are for those routes alone that take forms.
    void this.#app.register(async (scope) => {
      await scope.register(import('@fastify/multipart'), { throwFileSizeLimit: false });
      scope.route(options);
    });
  }

  /** The address of a call, and what its Fastify route is configured with. */
  #place(
    route: RouteDescription<unknown>,
    about: Pick<RegisteredCall, 'target' | 'session' | 'idempotent'>,
  ): { readonly url: string; readonly config: FastifyContextConfig } {
    const url = BASE + fillModules(route.path, this.#service.modules);
    const { cost } = route;
    const call: RegisteredCall = { route, pattern: url, ...about };
    return { url, config: { call, ...(cost === undefined ? {} : { cost }) } };
  }
}

type Prepare<Target extends keyof Targets, Body> = (
  database: Database,
  asked: RouteRequest<Target, Body>,
) => Promise<WriteStep<Target, Body> | null>;

/** What a call does before its transaction; null: nothing. */
function preparationOf<Target extends keyof Targets, Body>(
  route: Route<Target, Body> | PreparedRoute<Target, Body>,
  body: Body,
): Prepare<Target, Body> | null {
  if ('prepare' in route) return (database, asked) => route.prepare(database, asked);
  if (!route.plan || !route.isLarge?.(body)) return null;
  return (database, asked) => database.read(async (db) => (await route.plan?.(db, asked)) ?? null);
}

/** How often a call is planned anew before others have to wait until it is planned in its transaction. */
const MOST_PLANS = 3;

async function writePlanned<Work>(
  plan: () => Promise<Work | null>,
  handle: Work,
  write: (work: Work) => Promise<FinishedAnswer>,
): Promise<FinishedAnswer> {
  for (let attempt = 0; attempt < MOST_PLANS; attempt++) {
    const work = await plan();
    if (!work) break;
    try {
      return await write(work);
    } catch (error) {
      if (!(error instanceof PlanOutdated)) throw error;
    }
  }
  return write(handle);
}

function callOf({ method }: RouteDescription<unknown>, pattern: string): string {
  return `${method} ${pattern.slice(BASE.length)}`;
}

/** Fastify has decoded them, by the pattern that was registered. */
function paramsOf(request: FastifyRequest): Record<string, string> {
  const { params } = request;
  if (typeof params !== 'object' || params === null) return {};
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));
}

function ifMatchOf(request: FastifyRequest): string | null {
  return request.headers['if-match'] ?? null;
}

function lastEventIdOf({ headers }: FastifyRequest): string | null {
  const given = headers['last-event-id'];
  return typeof given === 'string' ? given : null;
}

/** Without a body its type means nothing, and Fastify shall not find fault with it. */
function forgetTypeOfNothing({ raw }: FastifyRequest): void {
  if (!hasBody(raw)) delete raw.headers['content-type'];
}
