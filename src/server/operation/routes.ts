import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readBuildInfo } from '#server/build-info.ts';
import type { Config } from '#server/config.ts';
import type { Database } from '#server/database/database.ts';
import { ApiError } from '#shared/errors.ts';
import { readLag } from '../modules/history/lag.ts';
import { nothingHere } from '../http/error-answers.ts';
import { hasBody, heldBytes } from '../http/body.ts';
import type { Metrics } from './metrics.ts';
import { withinNetworks } from './networks.ts';
import type { Readiness } from './readiness.ts';
import type { LoadMonitor } from './load-monitor.ts';

/** Seconds. */
const LATENCIES = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const VITAL = { config: { cost: 'vital' } } as const;
const PER_SECOND = 1000;
const NANOSECONDS = 1e9;

interface OperationParts {
  readonly database: Database;
  readonly config: Pick<Config, 'metricsFrom' | 'trustedProxies'>;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly loadMonitor: LoadMonitor;
  /** aborted when the process is to stop */
  readonly stopping: AbortSignal;
}

/** What those who run the service ask: whether it lives, whether it may be sent requests, and figures. */
export function answerOperators(
  app: FastifyInstance,
  { database, config, readiness, metrics, loadMonitor, stopping }: OperationParts,
): void {
  app.addHook('preClose', async () => readiness.drain());
  stopping.addEventListener('abort', () => readiness.drain());
  app.addHook('onSend', async ({ raw }, reply) => {
    // A body that still comes is read to its end first, which the close would cut off.
    if (stopping.aborted && (raw.complete || !hasBody(raw))) reply.header('connection', 'close');
  });
  // Without the database: a process whose database is away is not helped by being started anew.
  app.get('/healthz', VITAL, async () => ({ status: 'ok' }));
  app.get('/readyz', VITAL, async (_request, reply) => {
    const reason = await readiness.problem();
    reply.header('cache-control', 'no-store');
    if (reason === null) return { status: 'ready' };
    reply.code(503);
    return { status: 'not ready', reason };
  });

  describeBuild(metrics);
  describeProcess(metrics, loadMonitor);
  describeDatabase(metrics, database);
  describeHistory(metrics, database);
  countRequests(app, metrics);
  const isTrusted = withinNetworks(config.metricsFrom);
  app.get('/metrics', VITAL, async (request, reply) => {
    if (config.metricsFrom.length === 0) throw nothingHere();
    if (isForwardedByStranger(request, config) || !isTrusted(request.ip)) {
      throw new ApiError('forbidden', 'The figures are not for this address.');
    }
    return reply
      .header('cache-control', 'no-store')
      .type('text/plain; version=0.0.4; charset=utf-8')
      .send(await metrics.write());
  });
}

/** Through a proxy that is not trusted, whose own address says nothing of who asks. */
function isForwardedByStranger(
  { headers, ip, raw }: FastifyRequest,
  { trustedProxies }: Pick<Config, 'trustedProxies'>,
): boolean {
  const forwarded = headers['x-forwarded-for'] ?? headers['forwarded'] ?? headers['x-real-ip'];
  if (forwarded === undefined) return false;
  return trustedProxies.length === 0 || ip === raw.socket.remoteAddress;
}

function countRequests(app: FastifyInstance, metrics: Metrics): void {
  const latency = metrics.histogram(
    'indexdesk_request_duration_seconds',
    'Requests by method, route and status, and how long their answers took.',
    LATENCIES,
  );
  app.addHook('onResponse', async (request, reply) => {
    latency.observe(reply.elapsedTime / PER_SECOND, {
      method: request.is404 ? 'other' : request.method,
      // Never the address itself: there may be any number of them.
      route: request.is404 ? 'other' : (request.routeOptions.url ?? 'other'),
      status: String(reply.statusCode),
    });
  });
}

function describeBuild(metrics: Metrics): void {
  metrics.gauge('indexdesk_build_info', 'Which program this is; always 1.', () => {
    const { version, commit, schema } = readBuildInfo();
    const labels = { version, commit, schema: String(schema), node: process.versions.node };
    return [{ value: 1, labels }];
  });
}

function describeProcess(metrics: Metrics, loadMonitor: LoadMonitor): void {
  const startedAt = Date.now() / PER_SECOND - process.uptime();
  metrics.gauge('process_start_time_seconds', 'When the process started.', () => startedAt);
  metrics.gauge('process_resident_memory_bytes', 'Memory of the process.', () =>
    process.memoryUsage.rss(),
  );
  metrics.gauge('indexdesk_memory_bytes', 'Memory by what it holds.', () => {
    const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
    return [
      { value: heapUsed, labels: { kind: 'heap_used' } },
      { value: heapTotal, labels: { kind: 'heap_total' } },
      { value: external, labels: { kind: 'external' } },
      { value: arrayBuffers, labels: { kind: 'array_buffers' } },
      { value: heldBytes(), labels: { kind: 'request_bodies' } },
    ];
  });
  metrics.total('process_cpu_seconds_total', 'Processor time of the process.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  metrics.gauge(
    'indexdesk_event_loop_delay_seconds',
    'By how much the event loop was late since the figures were last read.',
    () => {
      const values = [50, 90, 99].map((percent) => ({
        value: delays.percentile(percent) / NANOSECONDS,
        labels: { quantile: String(percent / 100) },
      }));
      const most = { value: delays.max / NANOSECONDS, labels: { quantile: '1' } };
      delays.reset();
      return [...values, most];
    },
  );
  metrics.gauge(
    'indexdesk_event_loop_behind_seconds',
    'By how much the event loop is late, smoothed; what load is shed by.',
    () => loadMonitor.delay / PER_SECOND,
  );
  metrics.gauge('indexdesk_strain_ratio', 'The part of the limits that is used.', () =>
    loadMonitor.now(),
  );
}

function describeHistory(metrics: Metrics, database: Database): void {
  metrics.gauge(
    'indexdesk_history_unsealed_entries',
    'Entries of the history that are not sealed yet, 10000 at most.',
    async () => (await database.read(readLag)).entries,
  );
  metrics.gauge(
    'indexdesk_history_unsealed_age_seconds',
    'How long the oldest of them has waited.',
    async () => (await database.read(readLag)).age / PER_SECOND,
  );
}

function describeDatabase(metrics: Metrics, database: Database): void {
  const figures: [string, string, (load: ReturnType<Database['load']>) => number][] = [
    ['indexdesk_writes_waiting', 'Writes that wait for their turn.', (load) => load.waitingWrites],
    [
      'indexdesk_database_longest_wait_seconds',
      'How long whatever waits longest for the database has waited.',
      (load) => load.longestWait / PER_SECOND,
    ],
  ];
  for (const [name, help, read] of figures) metrics.gauge(name, help, () => read(database.load()));
  metrics.total(
    'indexdesk_writes_total',
    'Writes that have had their turn.',
    () => database.load().writes.count,
  );
  metrics.total(
    'indexdesk_write_wait_seconds_total',
    'How long they waited together.',
    () => database.load().writes.waited / PER_SECOND,
  );
  metrics.gauge('indexdesk_database_connections', 'Connections to the database.', () => {
    const { most, open, idle, waiting } = database.load().connections;
    return [
      { value: most, labels: { state: 'most' } },
      { value: open, labels: { state: 'open' } },
      { value: idle, labels: { state: 'idle' } },
      { value: waiting, labels: { state: 'waited_for' } },
    ];
  });
}
