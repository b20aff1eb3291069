import { type DBSchema, type IDBPDatabase, openDB } from 'idb';

interface Lease {
  readonly name: string;
  readonly holder: string;
  /** milliseconds since 1970 */
  readonly until: number;
}

interface LeaseSchema extends DBSchema {
  leases: { key: string; value: Lease };
}

/** Browsers wake a tab in the background once a minute; one that has slept longer than this is taken for gone. */
const LASTS = 150_000;
const RENEWED_EVERY = 20_000;

let opened: Promise<IDBPDatabase<LeaseSchema>> | undefined;
function open(): Promise<IDBPDatabase<LeaseSchema>> {
  opened ??= openDB<LeaseSchema>('indexdesk-leases', 1, {
    upgrade: (database) => void database.createObjectStore('leases', { keyPath: 'name' }),
    terminated: () => (opened = undefined),
  });
  return opened;
}

/**
 * Takes a name, or keeps it, unless another holder's lease on it lasts.
 * @returns 0 where it is taken; else the milliseconds until that lease ends if it is not renewed
 */
async function take(name: string, holder: string, now: number): Promise<number> {
  const transaction = (await open()).transaction('leases', 'readwrite');
  const there = await transaction.store.get(name);
  const left = there && there.holder !== holder ? there.until - now : 0;
  if (left <= 0) await transaction.store.put({ name, holder, until: now + LASTS });
  await transaction.done;
  return Math.max(0, left);
}

async function give(name: string, holder: string): Promise<void> {
  const transaction = (await open()).transaction('leases', 'readwrite');
  if ((await transaction.store.get(name))?.holder === holder) await transaction.store.delete(name);
  await transaction.done;
}

/** Whether somebody holds a name, and for how many milliseconds at least. */
export async function leftOf(name: string, now = Date.now()): Promise<number> {
  const there = await (await open()).get('leases', name);
  return Math.max(0, (there?.until ?? 0) - now);
}

/** A name that is held until it is given back. */
export interface Held {
  readonly release: () => Promise<void>;
}

/**
 * Holds a name among the tabs of a browser, as a lease in IndexedDB that is renewed: for browsers without locks,
 * as they are over plain http.
 * @param onLost the tab has slept for so long that another took the name; it is held again
 * @returns what gives it back; a number where another holds it: the milliseconds until its lease ends
 */
export async function holdLease(
  name: string,
  holder: string,
  onLost: () => void = () => undefined,
): Promise<Held | number> {
  const left = await take(name, holder, Date.now());
  if (left > 0) return left;
  const renew = async () => {
    const now = Date.now();
    const there = await (await open()).get('leases', name);
    const lost = there?.holder !== holder;
    if ((await take(name, holder, now)) === 0 && lost) onLost();
  };
  const timer = setInterval(() => void renew().catch(() => undefined), RENEWED_EVERY);
  return {
    release: async () => {
      clearInterval(timer);
      await give(name, holder);
    },
  };
}
