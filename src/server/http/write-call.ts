import * as texts from '#messages/service/http.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Database, Transaction } from '#server/database/database.ts';
import type { ReadContext } from '#server/database/query-cancellation.ts';
import { requestDigest } from '#server/database/stored-responses.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { prepareFinished, toFinishedAnswer, type Payload } from './send-answer.ts';
import { authorize, type Authorization } from './authorization.ts';
import { isReadableBeforeSession, readWithDeadline } from './body.ts';
import { clientOf } from './client.ts';
import { formBody, removeUploads } from './form.ts';
import { readIdempotencyKey, type FinishedAnswer, type KeyedRequest } from './idempotency.ts';
import {
  fingerprintOf,
  paramsOf,
  readInput,
  readQueryOf,
  requireBody,
  type Input,
} from './request-input.ts';
import { pathOf } from './paths.ts';
import { contextOf, withReadContext } from './read-context.ts';
import {
  PlanOutdated,
  statusOf,
  type Client,
  type PreparedRoute,
  type Route,
  type RouteRequest,
  type Targets,
  type WriteStep,
} from './route.ts';
import type { HttpServices } from './http-services.ts';
import { requireSameSite } from './session.ts';

/** How often a call is planned before its transaction; after that it is planned inside it, and blocks others. */
const MAX_PLANNING_ATTEMPTS = 3;

/** A request with a checked body and query. Its session and right are checked in each transaction. */
interface ParsedRequest<Body> {
  readonly request: FastifyRequest;
  readonly routeRequest: Omit<RouteRequest<'none', Body>, 'caller' | 'target' | 'access'>;
  /** the idempotency key */
  readonly key: { readonly text: string; readonly fingerprint: string } | null;
}

/** A call that writes, as the hooks and the handler of a Fastify route. */
export class WriteCall<Target extends keyof Targets, Body> {
  readonly #services: HttpServices;
  readonly #route: Route<Target, Body> | PreparedRoute<Target, Body>;
  readonly #call: string;
  readonly #mayReadBodyFirst: boolean;
  /** what requests were allowed before their bodies were read */
  readonly #allowedBefore = new WeakMap<FastifyRequest, Authorization<Target>>();

  /** @param call method and route as in the history */
  constructor(
    services: HttpServices,
    route: Route<Target, Body> | PreparedRoute<Target, Body>,
    call: string,
  ) {
    this.#services = services;
    this.#route = route;
    this.#call = call;
    const isSecret = route.idempotency === 'secret';
    const isExpensive = 'prepare' in route || route.cost !== undefined;
    this.#mayReadBodyFirst = !isSecret && !isExpensive && !Object.is(route.body, formBody);
  }

  async onRequest(request: FastifyRequest): Promise<void> {
    requireSameSite(request);
    if (this.#readsBodyFirst(request)) return;
    // The resource of the path may have been deleted since the first answer: an equal request gets that answer again.
    const mayBeAnswered = request.headers['idempotency-key'] !== undefined;
    await this.#authorizeBefore(request, !mayBeAnswered);
  }

  async handle(request: FastifyRequest, reply: FastifyReply): Promise<Payload> {
    let input: Input | undefined;
    try {
      let parsed: ParsedRequest<Body>;
      try {
        input = await this.#readInput(request);
        await request.takeTurn();
        parsed = await this.#parse(request, input);
      } catch (error) {
        // What onRequest has left out takes precedence over all other errors; a disconnected client gets no answer.
        const isUnchecked = this.#readsBodyFirst(request) || this.#route.checkPath !== undefined;
        if (isUnchecked && !request.raw.socket.destroyed) await this.#authorizeBefore(request);
        throw error;
      }
      return prepareFinished(
        request,
        reply,
        await this.#executeInTurn(parsed, contextOf(request, reply)),
      );
    } finally {
      // A failed clean-up must not turn a committed write into an error.
      if (input?.form) {
        await removeUploads(input.form).catch((error: unknown) =>
          request.log.warn({ err: error }, 'a received file was not removed'),
        );
      }
    }
  }

  /** Whether a small body is read before the session is checked, which then happens once, in the transaction. */
  #readsBodyFirst(request: FastifyRequest): boolean {
    return this.#mayReadBodyFirst && isReadableBeforeSession(request.raw);
  }

  #authorizeBefore(request: FastifyRequest, checksPath = true): Promise<void> {
    return this.#services.database.read(async (db) => {
      const allowed = await this.#authorize(db, request, clientOf(request));
      this.#allowedBefore.set(request, allowed);
      if (checksPath) await this.#route.checkPath?.(db, paramsOf(request), allowed.caller);
    });
  }

  #authorize(db: Transaction, request: FastifyRequest, client: Client) {
    const params = paramsOf(request);
    return authorize(this.#services, db, request, { client, params, call: this.#route });
  }

  #readInput(request: FastifyRequest): Promise<Input> {
    const reading = readInput(request, this.#route, this.#services);
    if (!this.#readsBodyFirst(request)) return reading;
    const { anonymousBodySeconds } = this.#services;
    return readWithDeadline(reading, anonymousBodySeconds, () => this.#authorizeBefore(request));
  }

  async #parse(request: FastifyRequest, input: Input): Promise<ParsedRequest<Body>> {
    const { idempotency } = this.#route;
    const query = readQueryOf(request, this.#route);
    const body = await requireBody(this.#route, input.body);
    const text =
      idempotency === 'none' ? null : readIdempotencyKey(request.headers['idempotency-key']);
    const digest = (key: string) => fingerprintOf(request, this.#services, key, input, idempotency);
    return {
      request,
      key: text === null ? null : { text, fingerprint: await digest(text) },
      routeRequest: {
        client: clientOf(request),
        call: this.#call,
        params: paramsOf(request),
        query,
        body,
        ifMatch: request.headers['if-match'] ?? null,
        lastEventId: null,
      },
    };
  }

  /**
   * Executes the request after all equal ones: `prepare` may write in separate transactions, before the answer is
   * stored.
   */
  async #executeInTurn(parsed: ParsedRequest<Body>, context: ReadContext): Promise<FinishedAnswer> {
    const execute = () => this.#execute(parsed, context);
    if (!('prepare' in this.#route) || parsed.key === null) return execute();
    const { database, storedAnswers } = this.#services;
    const allowed = this.#allowedBefore.get(parsed.request);
    const keyed = allowed && this.#keyed(parsed, { ...allowed, ...parsed.routeRequest });
    return keyed ? storedAnswers.runInTurn(database, keyed, context, execute) : execute();
  }

  /** Plans the write on a snapshot if that is useful, then writes. */
  async #execute(parsed: ParsedRequest<Body>, context: ReadContext): Promise<FinishedAnswer> {
    const plan = this.#planOf(parsed.routeRequest.body);
    if (plan) {
      for (let attempt = 0; attempt < MAX_PLANNING_ATTEMPTS; attempt++) {
        const step = await this.#plan(plan, parsed, context);
        if (!step) break;
        try {
          return await this.#write(parsed, step);
        } catch (error) {
          if (!(error instanceof PlanOutdated)) throw error;
        }
      }
    }
    const route = this.#route;
    return this.#write(parsed, (db, routeRequest) => {
      if ('handle' in route) return route.handle(db, routeRequest);
      throw new ApiError('unavailable', texts.storedAnswerGone);
    });
  }

  /** The work of the call before its transaction; null: none. */
  #planOf(body: Body): Planner<Target, Body> | null {
    const route = this.#route;
    if ('prepare' in route)
      return (database, routeRequest) => route.prepare(database, routeRequest);
    if (!route.plan || !route.isLarge?.(body)) return null;
    return (database, routeRequest) =>
      database.read(async (db) => (await route.plan?.(db, routeRequest)) ?? null);
  }

  /** @returns null if planning gains nothing, or a stored answer exists, which the transaction will find */
  async #plan(
    plan: Planner<Target, Body>,
    parsed: ParsedRequest<Body>,
    context: ReadContext,
  ): Promise<WriteStep<Target, Body> | null> {
    const { database, storedAnswers } = this.#services;
    const { routeRequest, isAnswered } = await database.read(async (db) => {
      const routeRequest = await this.#authorizeParsed(db, parsed);
      const keyed = this.#keyed(parsed, routeRequest);
      return { routeRequest, isAnswered: keyed !== null && (await storedAnswers.find(db, keyed)) };
    });
    return isAnswered ? null : plan(withReadContext(database, context), routeRequest);
  }

  /** Authorizes the request, looks up its idempotency key and writes, in one transaction. */
  async #write(
    parsed: ParsedRequest<Body>,
    step: WriteStep<Target, Body>,
  ): Promise<FinishedAnswer> {
    const { database, storedAnswers } = this.#services;
    const { target } = this.#route;
    const status = statusOf(this.#route);
    const isLarge = 'isLarge' in this.#route && this.#route.isLarge?.(parsed.routeRequest.body);
    const written = await database.write(
      async (db) => {
        const routeRequest = await this.#authorizeParsed(db, parsed);
        const keyed = this.#keyed(parsed, routeRequest);
        if (!keyed) return { answer: await step(db, routeRequest) };
        const finished = await storedAnswers.runOnce(db, keyed, async () => {
          const answer = await step(db, routeRequest);
          const { repeatedBody: bodyAgain, records = [] } = answer;
          const given = await toFinishedAnswer(answer, status);
          return bodyAgain === undefined
            ? { ...given, records }
            : { ...given, records, repeatedBody: JSON.stringify(bodyAgain) };
        });
        return { finished };
      },
      {
        // Writes of records lock the records that they depend on; other writes may depend on anything.
        isolation: target === 'none' ? 'serializable' : 'read committed',
        weight: isLarge ? 'large' : 'usual',
      },
    );
    return 'finished' in written ? written.finished : toFinishedAnswer(written.answer, status);
  }

  async #authorizeParsed(
    db: Transaction,
    { request, routeRequest }: ParsedRequest<Body>,
  ): Promise<RouteRequest<Target, Body>> {
    return { ...(await this.#authorize(db, request, routeRequest.client)), ...routeRequest };
  }

  #keyed(
    { request, key }: ParsedRequest<Body>,
    { caller, target, query }: RouteRequest<Target, Body>,
  ): KeyedRequest | null {
    if (key === null) return null;
    const digest = requestDigest({
      method: this.#route.method,
      path: pathOf(request.raw.url ?? ''),
      guid: target?.guid ?? null,
      query,
      key: key.text,
    });
    return { userId: caller.userId, request: digest, fingerprint: key.fingerprint, target };
  }
}

/** The work of a call before its transaction. @returns a function for the transaction; null: as without a plan */
type Planner<Target extends keyof Targets, Body> = (
  database: Database,
  routeRequest: RouteRequest<Target, Body>,
) => Promise<WriteStep<Target, Body> | null>;
