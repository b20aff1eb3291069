import { COST } from '#server/modules/passwords/argon2.ts';

const OF_THE_SERVICE = { ...COST };

/**
 * Lets the hashes of this process cost next to nothing: each would take as much processor time as several whole tests.
 * A hash names its own cost, and all else is as in operation. Processes of their own keep the service's cost.
 */
export function makeHashesCheap(): void {
  Object.assign(COST, { memory: 8, passes: 1 });
}

/** Runs what is about the cost itself with the cost of the service. */
export async function withCostOfService<T>(work: () => Promise<T>): Promise<T> {
  Object.assign(COST, OF_THE_SERVICE);
  try {
    return await work();
  } finally {
    makeHashesCheap();
  }
}
