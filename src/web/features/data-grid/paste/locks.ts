import { locks, whileFree } from '../tab-locks.ts';

const nameOf = (job: string) => `indexdesk-paste-${job}`;

/**
 * Works on a paste unless another tab does; where browsers have no locks the idempotency keys alone keep two tabs
 * from doubling rows. @returns null where one does
 */
export function whileAlone<T>(job: string, work: () => Promise<T>): Promise<T | null> {
  return whileFree(nameOf(job), work);
}

/** Whether a tab works on a paste right now. */
export async function isWorkedOn(job: string): Promise<boolean> {
  const state = await locks()?.query();
  return state?.held?.some(({ name }) => name === nameOf(job)) ?? false;
}
