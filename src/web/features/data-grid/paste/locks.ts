import { isHeld, whileFree } from '../edit-store/tab-locks.ts';

const nameOf = (job: string) => `indexdesk-paste-${job}`;

/** This tab, among those that work on pastes. */
const TAB = crypto.getRandomValues(new Uint32Array(2)).join('-');

/** Works on a paste unless another tab does. @returns null where one does */
export function whileAlone<T>(job: string, work: () => Promise<T>): Promise<T | null> {
  return whileFree(nameOf(job), TAB, work);
}

/** Whether a tab works on a paste right now. */
export function isWorkedOn(job: string): Promise<boolean> {
  return isHeld(nameOf(job));
}
