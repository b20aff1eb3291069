import * as texts from '#messages/service/http.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/database/database.ts';
import { clientDisconnected } from '#server/database/query-cancellation.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { LARGE_BODY_BYTES } from '../body-memory.ts';
import { hasBody } from '../body.ts';
import { totalBodyBytes, releaseBody } from '../receive-body.ts';
import { FairLimiter, type Slot } from './fair-limiter.ts';
import { isKnownClientPath, KnownClients } from './known-clients.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import { startLoadMonitor, type LoadMonitor } from '../monitoring/load-monitor.ts';

/**
 * The cost of a call.
 * - `always-admitted`: never rejected
 * - `heavy`: an export, an import, a plan; few run concurrently, others wait their turn
 * - `stream`: stays open at no cost
 * - `sign-in`: waits for its password hash, which has a separate queue
 */
type Cost = 'always-admitted' | 'heavy' | 'stream' | 'sign-in';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** undefined: like most calls */
    cost?: Cost;
  }
  interface FastifyRequest {
    /**
     * Waits until the call may start. Call it once the body has arrived.
     * @throws {ApiError} 503 if the client has too many requests in progress, or has disconnected
     */
    takeTurn(): Promise<void>;
    /** Called when the answer is ready to be sent. */
    endTurn(): void;
    /** whether the client, or another one with its address, has had a valid session */
    isKnownClient: boolean;
    /** the user of the request's session, if an earlier request has shown it; the session may have ended since */
    knownUserId: number | undefined;
  }
}

/** The fraction of the limits up to which heavy calls are accepted. */
const HEAVY_FRACTION = 0.5;
/** Waiting heavy calls per heavy call that may run. */
const WAITING_PER_TURN = 8;
/**
 * The fraction of the accepted requests that run concurrently; the others wait, so that a later client can be served
 * before them.
 */
const RUNNING_FRACTION = 0.25;
/** A large body is rejected while bodies of this total size are held, as a multiple of the largest allowed body. */
const MAX_HELD_BODIES = 3;

interface SheddingOptions {
  readonly config: Config;
  readonly database: Database;
  readonly metrics: Metrics;
}

/**
 * Rejects requests with 503 and `Retry-After` before the process is overloaded: heavy ones at half of the load at which
 * others are rejected, health checks never. Slots and turns are shared fairly by class (known and unknown clients),
 * then by address, then by user (docs/decisions/0019-fair-admission.md). A request whose body is still arriving is
 * counted separately from the others; if its client has too many of them, the oldest is aborted.
 */
export function shedLoad(
  app: FastifyInstance,
  { config, database, metrics }: SheddingOptions,
): LoadMonitor {
  const limits = { maxDelay: config.maxDelaySeconds * 1000, maxWait: config.maxWaitSeconds * 1000 };
  const loadMonitor = startLoadMonitor(limits, () => database.load());
  app.addHook('onClose', async () => loadMonitor.close());
  const clients = new KnownClients();
  const limiters = createLimiters(config);
  describeLimiters(limiters, metrics);
  const admission = new Admission(config, limiters, countRefusals(metrics));

  app.decorateRequest('takeTurn', () => Promise.resolve());
  app.decorateRequest('endTurn', () => undefined);
  app.decorateRequest('isKnownClient', false);
  app.decorateRequest('knownUserId', undefined);
  const admit = (request: FastifyRequest, reply: FastifyReply): void => {
    const { cost } = request.routeOptions.config;
    if (cost === 'always-admitted') return;
    if (loadMonitor.now() >= acceptedFraction(cost)) throw admission.refusal(cost);
    request.knownUserId = clients.userOf(request);
    const path = clients.pathOf(request);
    request.isKnownClient = isKnownClientPath(path);
    if (cost === 'stream') return;
    const admitted = new AdmittedRequest(admission, request, cost, path);
    const end = () => admitted.end();
    reply.raw.once('finish', end).once('close', end);
    // A heavy answer is produced while it is sent.
    if (cost !== 'heavy') request.endTurn = () => admitted.endTurn();
    request.takeTurn = () => admitted.takeTurn();
  };
  app.addHook('onRequest', (request, reply, done) => {
    admit(request, reply);
    done();
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.endTurn();
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { cost } = request.routeOptions.config;
    if (request.signedIn || (cost === 'sign-in' && reply.statusCode === 201)) {
      clients.remember(request);
    }
    done();
  });
  return loadMonitor;
}

/** The fraction of the limits up to which calls are accepted. */
function acceptedFraction(cost: Cost | undefined): number {
  return cost === 'heavy' ? HEAVY_FRACTION : 1;
}

/** The slots of requests whose body is arriving, of those that are answered, and of heavy ones among these. */
interface Limiters {
  readonly receiving: FairLimiter;
  readonly accepted: FairLimiter;
  readonly heavyTurns: FairLimiter;
}

function createLimiters({ maxRequests, maxHeavyRequests }: Config): Limiters {
  return {
    receiving: new FairLimiter({ capacity: maxRequests, maxRunning: 0 }),
    accepted: new FairLimiter({
      capacity: maxRequests,
      maxRunning: Math.ceil(maxRequests * RUNNING_FRACTION),
    }),
    heavyTurns: new FairLimiter({
      capacity: maxHeavyRequests * (1 + WAITING_PER_TURN),
      maxRunning: maxHeavyRequests,
    }),
  };
}

function countRefusals(metrics: Metrics): Counter<'cost'> {
  return new Counter({
    name: 'indexdesk_requests_refused_total',
    help: 'Requests refused for load.',
    labelNames: ['cost'],
    registers: [metrics.registry],
  });
}

function describeLimiters({ receiving, accepted, heavyTurns }: Limiters, metrics: Metrics): void {
  const underWay = {
    name: 'indexdesk_requests_under_way',
    help: 'Requests that are being answered.',
    labels: ['cost'],
  };
  metrics.gauge(underWay, () => {
    const heavy = heavyTurns.taken - heavyTurns.waiting;
    return [
      { value: accepted.taken - heavy, labels: { cost: 'usual' } },
      { value: heavy, labels: { cost: 'heavy' } },
    ];
  });
  metrics.gauge(
    { name: 'indexdesk_requests_waiting', help: 'Heavy requests that wait.' },
    () => heavyTurns.waiting,
  );
  metrics.gauge(
    { name: 'indexdesk_requests_receiving', help: 'Requests whose body is arriving.' },
    () => receiving.taken,
  );
}

/** Gives slots to requests, as far as the limits allow. */
class Admission {
  readonly limiters: Limiters;
  /** how long a heavy request waits for its turn, in milliseconds */
  readonly maxWait: number;
  readonly #config: Config;
  readonly #refused: Counter<'cost'>;

  constructor(config: Config, limiters: Limiters, refused: Counter<'cost'>) {
    this.limiters = limiters;
    this.maxWait = config.maxWaitSeconds * 1000;
    this.#config = config;
    this.#refused = refused;
  }

  refusal(cost: Cost | undefined): ApiError {
    this.#refused.inc({ cost: cost ?? 'usual' });
    const seconds = cost === 'heavy' ? 5 : 1;
    // Random, so that requests that were rejected together are not retried together.
    const wait = seconds + Math.floor(Math.random() * (seconds + 1));
    return new ApiError('unavailable', texts.overloaded({ seconds: wait }), { retryAfter: wait });
  }

  accept(cost: Cost | undefined, path: readonly string[]): Slot | undefined {
    const { accepted } = this.limiters;
    const isFree = accepted.taken < this.#config.maxRequests * acceptedFraction(cost);
    return isFree ? accepted.acquire(path) : undefined;
  }

  /** A slot for an arriving body, if necessary that of the client's oldest one. */
  receive(request: FastifyRequest, path: readonly string[]): Slot | undefined {
    const { receiving } = this.limiters;
    const abort = () => request.raw.socket.destroy();
    const acquire = () => receiving.acquire(path, abort);
    return acquire() ?? (receiving.evictOldest(path) ? acquire() : undefined);
  }

  exceedsHeldBytes({ headers }: FastifyRequest): boolean {
    const length = headers['content-length'];
    const large = headers['transfer-encoding'] !== undefined || Number(length) > LARGE_BODY_BYTES;
    return large && totalBodyBytes() > MAX_HELD_BODIES * this.#config.maxBodyBytes;
  }
}

/** A request in progress, with its slot and its turn. */
class AdmittedRequest {
  readonly #admission: Admission;
  readonly #request: FastifyRequest;
  readonly #cost: Cost | undefined;
  /** the class, address and user of the client */
  readonly #path: readonly string[];
  readonly #isArriving: boolean;
  #slot: Slot | undefined;
  #turn: Slot | undefined;
  #waitTimer: NodeJS.Timeout | undefined;
  #hasEnded = false;

  /** @throws {ApiError} 503 if there is no slot for it */
  constructor(
    admission: Admission,
    request: FastifyRequest,
    cost: Cost | undefined,
    path: readonly string[],
  ) {
    this.#admission = admission;
    this.#request = request;
    this.#cost = cost;
    this.#path = path;
    if (admission.exceedsHeldBytes(request)) throw admission.refusal(cost);
    this.#isArriving = hasBody(request.raw);
    this.#slot = this.#isArriving ? admission.receive(request, path) : admission.accept(cost, path);
    if (!this.#slot) throw admission.refusal(cost);
  }

  /** As `FastifyRequest.takeTurn`. */
  async takeTurn(): Promise<void> {
    if (this.#hasEnded) throw clientDisconnected();
    const [admission, cost, path] = [this.#admission, this.#cost, this.#path];
    if (this.#isArriving) {
      this.#slot?.release();
      this.#slot = admission.accept(cost, path);
      if (!this.#slot) throw admission.refusal(cost);
    }
    if (cost === 'sign-in') return;
    if (cost === 'heavy') {
      this.#turn = admission.limiters.heavyTurns.acquire(path);
      this.#waitTimer = setTimeout(() => this.#turn?.release(), admission.maxWait);
    } else this.#turn = this.#slot;
    const hasStarted = await this.#turn?.waitForTurn();
    clearTimeout(this.#waitTimer);
    if (!hasStarted) throw admission.refusal(cost);
  }

  endTurn(): void {
    this.#slot?.endTurn();
  }

  end(): void {
    this.#hasEnded = true;
    clearTimeout(this.#waitTimer);
    this.#turn?.release();
    this.#slot?.release();
    releaseBody(this.#request.raw);
  }
}
