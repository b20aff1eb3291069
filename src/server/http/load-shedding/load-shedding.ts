import * as texts from '#messages/service/http.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Counter } from 'prom-client';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/database/database.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { hasBody } from '../body.ts';
import { heldBytes, releaseBody } from '../receive-body.ts';
import { FairLimiter, type Place } from './fair-limiter.ts';
import { isKnown, KnownClients } from './known-clients.ts';
import type { Metrics } from '../monitoring/metrics.ts';
import { startLoadMonitor, type LoadMonitor } from './load-monitor.ts';

/**
 * What a call costs the process.
 * - `vital`: never refused
 * - `heavy`: an export, an import, a plan; few at once, others wait their turn
 * - `stream`: stays open without costing anything
 * - `sign-in`: waits for its password's hash, which has a queue of its own
 */
type Cost = 'vital' | 'heavy' | 'stream' | 'sign-in';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** undefined: like most calls */
    cost?: Cost;
  }
  interface FastifyRequest {
    /**
     * Waits until the call may begin. To be called once its body is there.
     * @throws {ApiError} 503 where the client has too much under way, or has left
     */
    takeTurn(): Promise<void>;
    /** Called when the answer is there and only has to be sent. */
    endTurn(): void;
    /** whether the client, or another one of its address, has had a valid session */
    isKnownClient: boolean;
    /** the user of the request's session as far as an earlier request has shown it; it may be over by now */
    knownUserId: number | undefined;
  }
}

/** The part of the limits that heavy calls leave to the others. */
const HEAVY_PART = 0.5;
/** Heavy calls that wait for their turn, per one that may run. */
const WAITING_PER_TURN = 8;
/** The part of the accepted requests that run at once; the others wait, so that a later client can be served before. */
const RUNNING_PART = 0.25;
/** A larger body is refused while so many bytes of bodies are held: times the largest body there may be. */
const SMALL_BODY = 64 * 1024;
const HELD_BODIES = 3;

interface Parts {
  readonly config: Config;
  readonly database: Database;
  readonly metrics: Metrics;
}

/**
 * Refuses requests with 503 and `Retry-After` before the process has more to do than it can: heavy ones at half of the
 * load at which others are refused, health checks never. Places and turns are shared fairly by class (known clients and
 * strangers), then by address, then by user (docs/decisions/0019-fair-admission.md). A request whose body is still
 * arriving takes no place of the others: it is counted separately, and where its client has too many of them, the oldest
 * is cut.
 */
export function shedLoad(app: FastifyInstance, { config, database, metrics }: Parts): LoadMonitor {
  const { maxRequests, maxHeavyRequests, maxBodyBytes } = config;
  const limits = { maxDelay: config.maxDelaySeconds * 1000, maxWait: config.maxWaitSeconds * 1000 };
  const loadMonitor = startLoadMonitor(limits, () => database.load());
  app.addHook('onClose', async () => loadMonitor.close());
  const clients = new KnownClients();
  const receiving = new FairLimiter({ places: maxRequests, concurrent: 0 });
  const accepted = new FairLimiter({
    places: maxRequests,
    concurrent: Math.ceil(maxRequests * RUNNING_PART),
  });
  const heavyTurns = new FairLimiter({
    places: maxHeavyRequests * (1 + WAITING_PER_TURN),
    concurrent: maxHeavyRequests,
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
    // Those that are refused together must not come back together.
    const wait = seconds + Math.floor(Math.random() * (seconds + 1));
    return new ApiError('unavailable', texts.overloaded({ seconds: wait }), {
      headers: { 'retry-after': String(wait) },
    });
  };

  const takesTooMuch = (request: FastifyRequest): boolean => {
    const length = request.headers['content-length'];
    const large = request.headers['transfer-encoding'] !== undefined || Number(length) > SMALL_BODY;
    return large && heldBytes() > HELD_BODIES * maxBodyBytes;
  };

  /** A place for a body that is arriving, where need be that of the client's oldest one. */
  const receive = (request: FastifyRequest, path: readonly string[]): Place | undefined => {
    const cut = () => request.raw.socket.destroy();
    const enter = () => receiving.enter(path, cut);
    return enter() ?? (receiving.evictOldest(path) ? enter() : undefined);
  };

  app.decorateRequest('takeTurn', () => Promise.resolve());
  app.decorateRequest('endTurn', () => undefined);
  app.decorateRequest('isKnownClient', false);
  app.decorateRequest('knownUserId', undefined);
  app.addHook('onRequest', async (request, reply) => {
    const { cost } = request.routeOptions.config;
    if (cost === 'vital') return;
    const heavy = cost === 'heavy';
    const part = heavy ? HEAVY_PART : 1;
    const refuse = () => refusal(cost ?? 'usual', heavy ? 5 : 1);
    if (loadMonitor.now() >= part) throw refuse();
    request.knownUserId = clients.userOf(request);
    const path = clients.pathOf(request);
    request.isKnownClient = isKnown(path);
    if (cost === 'stream') return;
    if (takesTooMuch(request)) throw refuse();

    const accept = () => (accepted.taken < maxRequests * part ? accepted.enter(path) : undefined);
    const arriving = hasBody(request.raw) ? receive(request, path) : undefined;
    let place = hasBody(request.raw) ? arriving : accept();
    if (!place) throw refuse();
    let turn: Place | undefined;
    let late: NodeJS.Timeout | undefined;
    let over = false;
    const end = () => {
      over = true;
      clearTimeout(late);
      turn?.leave();
      place?.leave();
      releaseBody(request.raw);
    };
    reply.raw.once('finish', end).once('close', end);
    // A heavy answer is made while it is sent.
    if (!heavy) request.endTurn = () => place?.endTurn();
    request.takeTurn = async () => {
      if (over) throw new ApiError('unavailable', texts.connectionClosed);
      if (arriving) {
        arriving.leave();
        place = accept();
        if (!place) throw refuse();
      }
      if (cost === 'sign-in') return;
      turn = heavy ? heavyTurns.enter(path) : place;
      if (heavy) late = setTimeout(() => turn?.leave(), limits.maxWait);
      const began = await turn?.begin();
      clearTimeout(late);
      if (!began) throw refuse();
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
