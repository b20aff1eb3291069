import { once } from 'node:events';
import { setInterval } from 'node:timers/promises';
import type { Environment } from './arguments.ts';

/** Why the service is to stop; `SIGTERM` also where npm was told so. */
export type StopRequest = 'SIGTERM' | 'SIGINT';

const POLL_MS = 250;

/**
 * Resolves when the process receives SIGTERM or SIGINT.
 *
 * Started by npm (`npx indexdesk serve`) it also resolves when its parent has ended: npm passes signals on to the shell
 * that it starts commands in, and most shells end by them without passing them on.
 */
export async function nextStopRequest(environment: Environment): Promise<StopRequest> {
  const requests = [nextSignal()];
  if (environment['npm_lifecycle_event'] !== undefined) requests.push(parentEnd());
  return Promise.race(requests);
}

export async function nextSignal(): Promise<StopRequest> {
  return Promise.race(
    (['SIGTERM', 'SIGINT'] as const).map(async (signal) => {
      await once(process, signal);
      return signal;
    }),
  );
}

async function parentEnd(): Promise<StopRequest> {
  const parent = process.ppid;
  // The system gives no event for it.
  for await (const _ of setInterval(POLL_MS, undefined, { ref: false })) {
    if (process.ppid !== parent) break;
  }
  return 'SIGTERM';
}
