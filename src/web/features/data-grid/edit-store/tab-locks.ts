import { pause } from '#web/api/create-store.ts';
import { type Held, holdLease, leftOf } from './leases.ts';

/** Over plain http browsers have no locks; leases in IndexedDB stand in for them there. */
function locks(): LockManager | undefined {
  return 'locks' in navigator ? navigator.locks : undefined;
}

/** A name that a tab holds for as long as it is there. */
export interface HeldByTab {
  /** resolves once it is held */
  readonly ready: Promise<void>;
  /** gives it back before the tab is gone */
  readonly release: () => Promise<void>;
}

/**
 * Holds a name that no other tab wants before this one is gone.
 * @param onBack the tab was asleep, or left and entered again: others may have taken it for gone meanwhile
 */
export function holdWhileHere(name: string, holder: string, onBack: () => void): HeldByTab {
  const manager = locks();
  if (manager) {
    const left = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const work = () => {
      held.resolve();
      return left.promise;
    };
    manager.request(name, work).catch(() => held.resolve());
    return { ready: held.promise, release: () => Promise.resolve(left.resolve()) };
  }
  const hold = async (): Promise<Held | null> => {
    try {
      for (;;) {
        const held = await holdLease(name, holder, onBack);
        if (typeof held === 'object') return held;
        // Another tab is just taking over what this one has left behind.
        await pause(Math.min(held, 2_000));
      }
    } catch {
      // Where the browser keeps nothing, nothing is left behind either.
      return null;
    }
  };
  let lease = hold();
  const release = async () => (await lease)?.release();
  addEventListener('pagehide', () => void release().catch(() => undefined));
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    lease = hold();
    void lease.then(onBack);
  });
  return { ready: lease.then(() => undefined), release };
}

/** Works while nobody else holds a name. @returns null where another tab does */
export async function whileFree<T>(
  name: string,
  holder: string,
  work: () => Promise<T>,
): Promise<T | null> {
  const manager = locks();
  if (manager)
    return manager.request(name, { ifAvailable: true }, (lock) => (lock ? work() : null));
  // Where the browser keeps nothing, no other tab can know of the work.
  const lease = await holdLease(name, holder).catch(() => null);
  if (typeof lease === 'number') return null;
  try {
    return await work();
  } finally {
    await lease?.release().catch(() => undefined);
  }
}

/**
 * In how many milliseconds a name that another tab holds is worth another look; null: not before this tab is opened
 * anew, as locks end with their tab.
 */
export async function freeIn(name: string): Promise<number | null> {
  return locks() ? null : leftOf(name);
}
