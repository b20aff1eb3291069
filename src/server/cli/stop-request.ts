import { once } from 'node:events';
import { setInterval } from 'node:timers/promises';
import type { Environment } from './arguments.ts';

/** Why the service stops; `SIGTERM` also if npm received it. */
export type StopRequest = 'SIGTERM' | 'SIGINT';

const POLL_MS = 250;

/**
 * Resolves when the process receives SIGTERM or SIGINT.
 *
 * Started by npm (`npx indexdesk serve`) it also resolves when its parent has ended: npm sends signals to the shell in which
 * it runs commands, and most shells exit without forwarding them.
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
  // There is no event for the end of a parent.
  for await (const _ of setInterval(POLL_MS, undefined, { ref: false })) {
    if (process.ppid !== parent) break;
  }
  return 'SIGTERM';
}
