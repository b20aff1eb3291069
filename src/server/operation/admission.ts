import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from '#shared/errors.ts';
import { heldBytes, releaseBody } from '../http/body.ts';
import type { Metrics } from './metrics.ts';
import type { LoadLimits, Strain } from './strain.ts';

/**
 * What a call costs the process.
 * - `vital`: never refused
 * - `heavy`: an export, an import, a plan; few at once, others wait their turn
 * - `stream`: stays open without costing anything
 */
type Cost = 'vital' | 'heavy' | 'stream';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** undefined: like most calls */
    cost?: Cost;
  }
  interface FastifyRequest {
    /** Waits until a heavy call may begin; for all others that is at once. To be called once its body is there. */
    takeTurn(): Promise<void>;
  }
}

/** The part of the limits that heavy calls leave to the others. */
const HEAVY_PART = 0.5;
/** Heavy calls that wait for their turn, per one that may run. */
const WAITING_PER_TURN = 8;
/** A larger body is refused while so many bytes of bodies are held: times the largest body there may be. */
const SMALL_BODY = 64 * 1024;
const HELD_BODIES = 8;

interface Turn {
  come(): void;
  refuse(error: ApiError): void;
}

interface AdmissionParts {
  readonly limits: LoadLimits;
  readonly maxBodyBytes: number;
  readonly strain: Strain;
  readonly metrics: Metrics;
}

/**
 * Refuses requests with 503 and `Retry-After` before the process has more to do than it can: heavy ones at
 * half of the load at which others are, health never.
 */
export function admitRequests(
  app: FastifyInstance,
  { limits, maxBodyBytes, strain, metrics }: AdmissionParts,
): void {
  const underWay = { all: 0, heavy: 0 };
  const waiting: Turn[] = [];
  const refused = metrics.counter('indexdesk_requests_refused_total', 'Requests refused for load.');
  metrics.gauge('indexdesk_requests_under_way', 'Requests that are being answered.', () => [
    { value: underWay.all - underWay.heavy, labels: { cost: 'usual' } },
    { value: underWay.heavy, labels: { cost: 'heavy' } },
  ]);
  metrics.gauge('indexdesk_requests_waiting', 'Heavy requests that wait.', () => waiting.length);

  const refusal = (cost: string, seconds: number): ApiError => {
    refused.add({ cost });
    // Those that are refused together must not come back together.
    const wait = seconds + Math.floor(Math.random() * (seconds + 1));
    return new ApiError(
      'unavailable',
      `The service has too much to do at the moment. Nothing was saved. Try again in ${wait} s.`,
      { headers: { 'retry-after': String(wait) } },
    );
  };

  const nextTurn = (): void => {
    while (underWay.heavy < limits.maxHeavyRequests) {
      const turn = waiting.shift();
      if (!turn) return;
      underWay.heavy += 1;
      turn.come();
    }
  };

  const turnOf = (request: FastifyRequest): Promise<void> => {
    if (underWay.heavy < limits.maxHeavyRequests) {
      underWay.heavy += 1;
      return Promise.resolve();
    }
    if (waiting.length >= limits.maxHeavyRequests * WAITING_PER_TURN) throw refusal('heavy', 5);
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => turn.refuse(refusal('heavy', 5)), limits.maxWait);
      const leave = () => {
        clearTimeout(late);
        request.raw.socket.off('close', gone);
        const at = waiting.indexOf(turn);
        if (at >= 0) waiting.splice(at, 1);
      };
      const gone = () => turn.refuse(refusal('heavy', 5));
      const turn: Turn = {
        come: () => {
          leave();
          resolve();
        },
        refuse: (error) => {
          leave();
          reject(error);
        },
      };
      request.raw.socket.once('close', gone);
      waiting.push(turn);
    });
  };

  const takesTooMuch = (request: FastifyRequest): boolean => {
    const length = request.headers['content-length'];
    const large = request.headers['transfer-encoding'] !== undefined || Number(length) > SMALL_BODY;
    return large && heldBytes() > HELD_BODIES * maxBodyBytes;
  };

  app.decorateRequest('takeTurn', () => Promise.resolve());
  app.addHook('onRequest', async (request, reply) => {
    const { cost } = request.routeOptions.config;
    if (cost === 'vital') return;
    const heavy = cost === 'heavy';
    const part = heavy ? HEAVY_PART : 1;
    const now = strain.now();
    if (now >= part) throw refusal(cost ?? 'usual', heavy ? 5 : 1);
    if (cost === 'stream') return;
    if (underWay.all >= limits.maxRequests * part || takesTooMuch(request)) {
      throw refusal(cost ?? 'usual', heavy ? 5 : 1);
    }
    underWay.all += 1;
    let over = false;
    let hasTurn = false;
    const leaveTurn = () => {
      if (!hasTurn) return;
      hasTurn = false;
      underWay.heavy -= 1;
      nextTurn();
    };
    const end = () => {
      if (over) return;
      over = true;
      underWay.all -= 1;
      releaseBody(request.raw);
      leaveTurn();
    };
    reply.raw.once('finish', end).once('close', end);
    if (!heavy) return;
    request.takeTurn = async () => {
      await turnOf(request);
      hasTurn = true;
      // Its client may have gone in the very moment.
      if (over) leaveTurn();
    };
  });
}
