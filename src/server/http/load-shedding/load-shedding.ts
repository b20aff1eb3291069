import * as texts from '#messages/service/http.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/database/database.ts';
import { clientLeft } from '#server/database/query-limits.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { hasBody } from '../body.ts';
import { heldBytes, releaseBody } from '../receive-body.ts';
import { FairLimiter, type Slot } from './fair-limiter.ts';
import { isKnownClientPath, KnownClients } from './known-clients.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import { startLoadMonitor, type LoadMonitor } from './load-monitor.ts';

/**
 * The cost of a call.
 * - `vital`: never rejected
 * - `heavy`: an export, an import, a plan; few run concurrently, others wait their turn
 * - `stream`: stays open at no cost
 * - `sign-in`: waits for its password hash, which has a separate queue
 */
type Cost = 'vital' | 'heavy' | 'stream' | 'sign-in';

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
/** A larger body is rejected while bodies of this total size are held, as a multiple of the largest allowed body. */
const SMALL_BODY = 64 * 1024;
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
  const { maxRequests, maxHeavyRequests, maxBodyBytes } = config;
  const limits = { maxDelay: config.maxDelaySeconds * 1000, maxWait: config.maxWaitSeconds * 1000 };
  const loadMonitor = startLoadMonitor(limits, () => database.load());
  app.addHook('onClose', async () => loadMonitor.close());
  const clients = new KnownClients();
  const receiving = new FairLimiter({ capacity: maxRequests, maxRunning: 0 });
  const accepted = new FairLimiter({
    capacity: maxRequests,
    maxRunning: Math.ceil(maxRequests * RUNNING_FRACTION),
  });
  const heavyTurns = new FairLimiter({
    capacity: maxHeavyRequests * (1 + WAITING_PER_TURN),
    maxRunning: maxHeavyRequests,
  });
  const refused = new Counter({
    name: 'indexdesk_requests_refused_total',
    help: 'Requests refused for load.',
    labelNames: ['cost'],
    registers: [metrics.registry],
  });
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

  const refusal = (cost: string, seconds: number): ApiError => {
    refused.inc({ cost });
    // Random, so that requests that were rejected together are not retried together.
    const wait = seconds + Math.floor(Math.random() * (seconds + 1));
    return new ApiError('unavailable', texts.overloaded({ seconds: wait }), {
      headers: { 'retry-after': String(wait) },
    });
  };

  const exceedsHeldBytes = (request: FastifyRequest): boolean => {
    const length = request.headers['content-length'];
    const large = request.headers['transfer-encoding'] !== undefined || Number(length) > SMALL_BODY;
    return large && heldBytes() > MAX_HELD_BODIES * maxBodyBytes;
  };

  /** A slot for an arriving body, if necessary that of the client's oldest one. */
  const receive = (request: FastifyRequest, path: readonly string[]): Slot | undefined => {
    const abort = () => request.raw.socket.destroy();
    const acquire = () => receiving.acquire(path, abort);
    return acquire() ?? (receiving.evictOldest(path) ? acquire() : undefined);
  };

  app.decorateRequest('takeTurn', () => Promise.resolve());
  app.decorateRequest('endTurn', () => undefined);
  app.decorateRequest('isKnownClient', false);
  app.decorateRequest('knownUserId', undefined);
  app.addHook('onRequest', async (request, reply) => {
    const { cost } = request.routeOptions.config;
    if (cost === 'vital') return;
    const heavy = cost === 'heavy';
    const fraction = heavy ? HEAVY_FRACTION : 1;
    const refuse = () => refusal(cost ?? 'usual', heavy ? 5 : 1);
    if (loadMonitor.now() >= fraction) throw refuse();
    request.knownUserId = clients.userOf(request);
    const path = clients.pathOf(request);
    request.isKnownClient = isKnownClientPath(path);
    if (cost === 'stream') return;
    if (exceedsHeldBytes(request)) throw refuse();

    const accept = () =>
      accepted.taken < maxRequests * fraction ? accepted.acquire(path) : undefined;
    const arriving = hasBody(request.raw) ? receive(request, path) : undefined;
    let slot = hasBody(request.raw) ? arriving : accept();
    if (!slot) throw refuse();
    let turn: Slot | undefined;
    let waitTimer: NodeJS.Timeout | undefined;
    let hasEnded = false;
    const end = () => {
      hasEnded = true;
      clearTimeout(waitTimer);
      turn?.release();
      slot?.release();
      releaseBody(request.raw);
    };
    reply.raw.once('finish', end).once('close', end);
    // A heavy answer is produced while it is sent.
    if (!heavy) request.endTurn = () => slot?.endTurn();
    request.takeTurn = async () => {
      if (hasEnded) throw clientLeft();
      if (arriving) {
        arriving.release();
        slot = accept();
        if (!slot) throw refuse();
      }
      if (cost === 'sign-in') return;
      turn = heavy ? heavyTurns.acquire(path) : slot;
      if (heavy) waitTimer = setTimeout(() => turn?.release(), limits.maxWait);
      const hasStarted = await turn?.waitForTurn();
      clearTimeout(waitTimer);
      if (!hasStarted) throw refuse();
    };
  });
  app.addHook('onSend', (request, _reply, payload, done) => {
    request.endTurn();
    done(null, payload);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { cost } = request.routeOptions.config;
    if (request.signedIn || (cost === 'sign-in' && reply.statusCode === 201)) {
      clients.remember(request);
    }
  });
  return loadMonitor;
}
