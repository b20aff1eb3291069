import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readBuildInfo } from '#server/build-info.ts';
import type { Database } from '#server/database/database.ts';
import { totalBodyBytes } from '../receive-body.ts';
import type { LoadMonitor } from './load-monitor.ts';
import type { Metrics } from './metrics.ts';

const PER_SECOND = 1000;
const NANOSECONDS = 1e9;

/** The metrics of the process itself, of its load and of its database connections. */
export function registerProcessMetrics(
  metrics: Metrics,
  { database, loadMonitor }: { readonly database: Database; readonly loadMonitor: LoadMonitor },
): void {
  const gauge = (name: string, help: string, read: () => number) =>
    metrics.gauge({ name, help }, read);
  const { version, commit, schema } = readBuildInfo();
  const build = { version, commit, schema: String(schema), node: process.versions.node };
  metrics.gauge(
    {
      name: 'indexdesk_build_info',
      help: 'Which program this is; always 1.',
      labels: Object.keys(build),
    },
    () => [{ value: 1, labels: build }],
  );
  const startedAt = Date.now() / PER_SECOND - process.uptime();
  gauge('process_start_time_seconds', 'When the process started.', () => startedAt);
  gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss());
  const memory = {
    name: 'indexdesk_memory_bytes',
    help: 'Memory by what it holds.',
    labels: ['kind'],
  };
  metrics.gauge(memory, () => {
    const { heapUsed, heapTotal, external, arrayBuffers } = process.memoryUsage();
    return byLabel('kind', {
      heap_used: heapUsed,
      heap_total: heapTotal,
      external,
      array_buffers: arrayBuffers,
      request_bodies: totalBodyBytes(),
    });
  });
  const cpu = { name: 'process_cpu_seconds_total', help: 'Processor time of the process.' };
  metrics.counter(cpu, () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  const delay = {
    name: 'indexdesk_event_loop_delay_seconds',
    help: 'By how much the event loop was late since the metrics were last read.',
    labels: ['quantile'],
  };
  metrics.gauge(delay, () => {
    const at = (percent: number) => delays.percentile(percent) / NANOSECONDS;
    const values = { '0.5': at(50), '0.9': at(90), '0.99': at(99), '1': delays.max / NANOSECONDS };
    delays.reset();
    return byLabel('quantile', values);
  });
  gauge(
    'indexdesk_event_loop_behind_seconds',
    'By how much the event loop is late, smoothed; load is shed by it.',
    () => loadMonitor.delay / PER_SECOND,
  );
  gauge('indexdesk_strain_ratio', 'The part of the limits that is used.', () => loadMonitor.now());
  describeDatabase(metrics, database);
}

function describeDatabase(metrics: Metrics, database: Database): void {
  metrics.gauge(
    { name: 'indexdesk_writes_waiting', help: 'Writes that wait for their turn.' },
    () => database.load().waitingWrites,
  );
  metrics.gauge(
    {
      name: 'indexdesk_database_longest_wait_seconds',
      help: 'How long the oldest request to the database has waited.',
    },
    () => database.load().longestWait / PER_SECOND,
  );
  metrics.counter(
    { name: 'indexdesk_writes_total', help: 'Writes that have had their turn.' },
    () => database.load().writes.count,
  );
  metrics.counter(
    { name: 'indexdesk_write_wait_seconds_total', help: 'How long they waited together.' },
    () => database.load().writes.waitedMs / PER_SECOND,
  );
  const connections = {
    name: 'indexdesk_database_connections',
    help: 'Connections to the database.',
    labels: ['state'],
  };
  metrics.gauge(connections, () => {
    const { max, open, idle, waiting } = database.load().connections;
    return byLabel('state', { most: max, open, idle, waited_for: waiting });
  });
}

function byLabel(label: string, values: Readonly<Record<string, number>>) {
  return Object.entries(values).map(([key, value]) => ({ value, labels: { [label]: key } }));
}
