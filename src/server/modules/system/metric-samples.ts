import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { FastifyInstance } from 'fastify';
import type { Database } from '#server/database/database.ts';
import type { MetricSample } from '#shared/contract/system-answers.ts';

/** Seconds between two samples. */
export const SAMPLE_INTERVAL = 10;
/** An hour. */
const MAX_SAMPLES = 360;
/** Further latencies of an interval are counted but not used for the percentile. */
const MAX_LATENCIES = 20_000;
const NANOSECONDS_PER_MS = 1e6;
const MICROSECONDS = 1e6;

/** The load of this process during the last hour, in memory. */
export interface MetricSamples {
  /** oldest first */
  readonly samples: readonly MetricSample[];
}

/** Measures until the app is closed. */
export function openMetricSamples(app: FastifyInstance, database: Database): MetricSamples {
  const samples: MetricSample[] = [];
  const delays = monitorEventLoopDelay({ resolution: 20 });
  delays.enable();
  let requests = 0;
  let latencies: number[] = [];
  let before = counters(database);
  app.addHook('onResponse', ({ routeOptions }, reply, done) => {
    // An event stream ends when its client disconnects.
    if (routeOptions.config.cost !== 'stream') {
      requests += 1;
      if (latencies.length < MAX_LATENCIES) latencies.push(reply.elapsedTime);
    }
    done();
  });

  const takeSample = () => {
    const now = counters(database);
    const seconds = (now.time - before.time) / 1000;
    samples.push({
      at: new Date().toISOString(),
      requestsPerSecond: requests / seconds,
      latencyP95Ms: percentile(latencies, 0.95),
      writesPerSecond: (now.writes - before.writes) / seconds,
      waitingWrites: database.load().waitingWrites,
      eventLoopDelayP99Ms: delays.percentile(99) / NANOSECONDS_PER_MS,
      processorShare: (now.processor - before.processor) / seconds,
      memoryBytes: process.memoryUsage.rss(),
    });
    if (samples.length > MAX_SAMPLES) samples.shift();
    delays.reset();
    [requests, latencies, before] = [0, [], now];
  };
  const timer = setInterval(takeSample, SAMPLE_INTERVAL * 1000).unref();
  app.addHook('onClose', async () => {
    clearInterval(timer);
    delays.disable();
  });
  return { samples };
}

function counters(database: Database) {
  const { user, system } = process.cpuUsage();
  return {
    time: performance.now(),
    writes: database.load().writes.count,
    processor: (user + system) / MICROSECONDS,
  };
}

/** @param values in any order */
function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? 0;
}
