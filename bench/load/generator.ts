import { setImmediate, setTimeout } from 'node:timers/promises';
import { answerParent } from '../child.ts';
import { partBelow } from '../figures.ts';
import { Connection } from './connection.ts';
import { fill, nextFiller } from './fill.ts';
import { jobSchema, type Job, type Load } from './job.ts';

/*
 * The load generator: a process of its own, on a core of its own, that is told jobs by its parent and answers what
 * came of each.
 */

/** Milliseconds until a connection sends its next request after one that was refused. */
const WAIT_AFTER_REFUSAL = 50;

/** Makes the bytes of the next request of each kind. */
function writersOf({ url, headers, ids, requests }: Job): (() => string)[] {
  const named = Object.entries({ host: new URL(url).host, ...headers });
  const common = named.map(([name, value]) => `\r\n${name}: ${value}`).join('');
  return requests.map(({ method, path, body }) => () => {
    const filler = nextFiller(ids);
    // What is read is asked for as browsers do.
    const taken = method === 'GET' ? '\r\naccept-encoding: gzip' : '';
    const start = `${method} ${fill(path, filler)} HTTP/1.1${common}${taken}`;
    if (body === undefined) return `${start}\r\n\r\n`;
    const content = fill(body, filler);
    return `${start}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(content)}\r\n\r\n${content}`;
  });
}

async function carryOut(job: Job): Promise<Load> {
  const url = new URL(job.url);
  const connections = await Promise.all(
    Array.from({ length: job.connections }, () => Connection.open(url)),
  );
  const latencies: number[] = [];
  let bytes = 0;
  let refused = 0;
  let taken = 0;
  const start = performance.now();
  const end = start + job.seconds * 1000;
  const { rate } = job;
  const writers = writersOf(job);

  const one = async (connection: Connection, due: number | undefined) => {
    const place = taken++ % writers.length;
    const request = writers[place]?.() ?? '';
    const from = due ?? performance.now();
    const answer = await connection.send(request);
    if (answer.status === 503) {
      refused += 1;
      await setTimeout(WAIT_AFTER_REFUSAL);
      return;
    }
    if (answer.status < 200 || answer.status > 299) {
      throw new Error(`${job.requests[place]?.path}: ${answer.status} ${answer.said}`);
    }
    latencies.push(performance.now() - from);
    bytes += answer.bytes;
  };
  const closed = async (connection: Connection) => {
    do await one(connection, undefined);
    while (performance.now() < end);
  };
  let due = 0;
  const fixed = (perSecond: number) => async (connection: Connection) => {
    for (;;) {
      // Clerks do not press in step: of two loads at one rate, each request would always meet the other's.
      const number = due++;
      const at = start + ((number + Math.random()) * 1000) / perSecond;
      // However short the load is, it measures one request.
      if (at >= end && number > 0) return;
      // Timers are up to a millisecond and more late.
      if (at - performance.now() > 2) await setTimeout(at - performance.now() - 2);
      while (performance.now() < at) await setImmediate();
      await one(connection, at);
    }
  };
  try {
    await Promise.all(connections.map(rate === undefined ? closed : fixed(rate)));
  } finally {
    for (const connection of connections) connection.close();
  }
  const seconds = (performance.now() - start) / 1000;
  latencies.sort((a, b) => a - b);
  return {
    requests: latencies.length,
    perSecond: latencies.length / seconds,
    p50: partBelow(latencies, 0.5),
    p95: partBelow(latencies, 0.95),
    p99: partBelow(latencies, 0.99),
    most: partBelow(latencies, 1),
    latencies,
    refused,
    bytes: latencies.length === 0 ? 0 : bytes / latencies.length,
  };
}

answerParent((message) => carryOut(jobSchema.parse(message)));
