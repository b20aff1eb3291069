import { execFileSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { isExecutable } from '#tests/support/debian-package.ts';

const TASKSET = '/usr/bin/taskset';
const SERVICE = '0';
const OTHERS = '1';

/**
 * Whether the service and what measures it can have a core each; without that the figures are of both together.
 * INDEXDESK_BENCH_PINNED=0 does without, where figures do not matter.
 */
const PINNED =
  process.env['INDEXDESK_BENCH_PINNED'] !== '0' &&
  isExecutable(TASKSET) &&
  availableParallelism() > 1;

/** What a program is to be started under so that it runs on the core that the service and its floors have for themselves. */
export const ON_SERVICE_CORE: readonly string[] = PINNED ? [TASKSET, '--cpu-list', SERVICE] : [];

function confine(cores: string): void {
  execFileSync(TASKSET, ['--all-tasks', '--pid', '--cpu-list', cores, String(process.pid)], {
    stdio: 'ignore',
  });
}

/**
 * Confines this process, and what it starts from now on, to the other core.
 * @returns gives it all cores back
 */
export function leaveServiceCore(): () => void {
  if (!PINNED) {
    console.error(
      'Without taskset and a second core the load generator takes from what it measures.',
    );
    return () => undefined;
  }
  confine(OTHERS);
  return () => confine(`0-${availableParallelism() - 1}`);
}

/** Starts something else on the service's core, from a process that has left it. */
export async function startOnServiceCore<T>(start: () => Promise<T>): Promise<T> {
  if (!PINNED) return start();
  confine(SERVICE);
  try {
    return await start();
  } finally {
    confine(OTHERS);
  }
}
