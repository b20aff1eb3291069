import { setInterval } from 'node:timers/promises';
import type { Environment } from './arguments.ts';

/** Why the service stops; `SIGTERM` also if npm received it. */
type StopRequest = 'SIGTERM' | 'SIGINT';

const POLL_MS = 250;

/** Signals within this time are one request, in milliseconds: npm passes on what the terminal has sent to the service as well. */
const SAME_REQUEST = 1_000;

interface StopRequests {
  readonly first: Promise<StopRequest>;
  /** resolves when a signal comes that is not the first request's */
  readonly second: Promise<void>;
}

/**
 * Listens for requests to stop until the process ends.
 *
 * Started by npm (`npx indexdesk serve`) the end of the parent is one, too: npm sends signals to the shell in which it runs
 * commands, and most shells exit without forwarding them.
 */
export function listenForStopRequests(environment: Environment): StopRequests {
  const first = Promise.withResolvers<StopRequest>();
  const second = Promise.withResolvers<void>();
  let requestedAt: number | undefined;
  const request = (signal: StopRequest) => {
    if (requestedAt === undefined) {
      requestedAt = performance.now();
      first.resolve(signal);
    } else if (performance.now() - requestedAt >= SAME_REQUEST) second.resolve();
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => request(signal));
  const followParent = async () => {
    await parentEnd();
    if (requestedAt === undefined) request('SIGTERM');
  };
  if (environment['npm_lifecycle_event'] !== undefined) void followParent();
  return { first: first.promise, second: second.promise };
}

async function parentEnd(): Promise<void> {
  const parent = process.ppid;
  // There is no event for the end of a parent.
  for await (const _ of setInterval(POLL_MS, undefined, { ref: false })) {
    if (process.ppid !== parent) return;
  }
}
