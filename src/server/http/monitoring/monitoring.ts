import * as texts from '#messages/service/http.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Histogram } from 'prom-client';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/database/database.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { notFound } from '../error-answers.ts';
import { hasBody } from '../body.ts';
import { isForwarded } from '../client.ts';
import type { LoadMonitor } from './load-monitor.ts';
import { withinNetworks } from '#server/lib/networks.ts';
import type { Metrics } from './metrics.ts';
import { registerProcessMetrics } from './process-metrics.ts';
import { readinessCheck } from './readiness.ts';

/** Seconds. */
const LATENCIES = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const ALWAYS_ADMITTED = { config: { cost: 'always-admitted' } } as const;
const PER_SECOND = 1000;

interface MonitoringParts {
  readonly config: Pick<Config, 'metricsFrom' | 'trustedProxies'>;
  readonly database: Database;
  readonly metrics: Metrics;
  readonly loadMonitor: LoadMonitor;
  /** aborted when the process is about to stop */
  readonly stopping: AbortSignal;
}

/** Serves `/healthz`, `/readyz` and `/metrics`, and closes connections while the process is about to stop. */
export function registerMonitoring(
  app: FastifyInstance,
  { config, database, metrics, loadMonitor, stopping }: MonitoringParts,
): void {
  const closing = new AbortController();
  app.addHook('preClose', async () => closing.abort());
  const readinessProblem = readinessCheck(database, AbortSignal.any([stopping, closing.signal]));
  app.addHook('onSend', ({ raw }, reply, payload, done) => {
    // A body that still arrives is read completely first; closing would interrupt it.
    if (stopping.aborted && (raw.complete || !hasBody(raw))) reply.header('connection', 'close');
    done(null, payload);
  });
  // Without a database check: restarting a process does not help if its database is unavailable.
  app.get('/healthz', ALWAYS_ADMITTED, async () => ({ status: 'ok' }));
  app.get('/readyz', ALWAYS_ADMITTED, async (_request, reply) => {
    const reason = await readinessProblem();
    reply.header('cache-control', 'no-store');
    if (reason === null) return { status: 'ready' };
    reply.code(503);
    return { status: 'not ready', reason };
  });

  registerProcessMetrics(metrics, { database, loadMonitor });
  countRequests(app, metrics);
  const isTrusted = withinNetworks(config.metricsFrom);
  app.get('/metrics', ALWAYS_ADMITTED, async (request, reply) => {
    if (config.metricsFrom.length === 0) throw notFound();
    if (isForwardedByStranger(request, config) || !isTrusted(request.ip)) {
      throw new ApiError('forbidden', texts.metricsForbidden);
    }
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.registry.contentType)
      .send(await metrics.write());
  });
}

/** Whether the request came through an untrusted proxy, so that its address does not identify the client. */
function isForwardedByStranger(
  request: FastifyRequest,
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
): boolean {
  if (!isForwarded(request)) return false;
  return trustedProxies.length === 0 || request.ip === request.raw.socket.remoteAddress;
}

function countRequests(app: FastifyInstance, { registry }: Metrics): void {
  const latency = new Histogram({
    name: 'indexdesk_request_duration_seconds',
    help: 'Requests by method, route and status, and how long their answers took.',
    labelNames: ['method', 'route', 'status'],
    buckets: LATENCIES,
    registers: [registry],
  });
  app.addHook('onResponse', (request, reply, done) => {
    const labels = {
      method: request.is404 ? 'other' : request.method,
      // Never the address itself, because the number of addresses is unlimited.
      route: request.is404 ? 'other' : (request.routeOptions.url ?? 'other'),
      status: String(reply.statusCode),
    };
    latency.observe(labels, reply.elapsedTime / PER_SECOND);
    done();
  });
}
