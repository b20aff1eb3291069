import { newIdempotencyKey } from '#web/api/request.ts';
import { storageMonitor, type StorageMonitor } from '#web/ui/storage-monitor.ts';
import { hasUnsaved } from './edits.ts';
import {
  readEdits,
  removeEdits,
  type StoredEdits,
  tabsWithEdits,
  writeEdits,
} from './edit-database.ts';
import type { EditStore } from './edit-store.ts';

/** Delay between a change and its write, in milliseconds; longer if writes are slow. */
const PAUSE = { least: 120, most: 2_000 };

/** The names of this tab since it was opened; a page takes a new one when it is loaded. */
const NAMES = 'indexdesk-tab-names';
const MAX_NAMES = 20;

const namesOfTab = () => sessionStorage.getItem(NAMES)?.split(' ') ?? [];

let tab: Promise<string> | undefined;

/**
 * Names this page and holds a Web Lock of that name until it is closed. Rejects over plain http, where browsers have no
 * locks.
 */
function thisTab(): Promise<string> {
  tab ??= (async () => {
    const name = newIdempotencyKey();
    sessionStorage.setItem(NAMES, [...namesOfTab(), name].slice(-MAX_NAMES).join(' '));
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const hold = () => {
      resolve(name);
      return new Promise(() => undefined);
    };
    navigator.locks.request(lockOf(name), hold).catch(reject);
    return promise;
  })();
  return tab;
}

// The lock name of version 0.2, so that neither version takes over edits of the other in another tab.
const lockOf = (name: string) => `indexdesk-desk-${name}`;

interface PersistedEdits {
  readonly storage: StorageMonitor;
  /** adds the edits of closed tabs from the database to the store */
  readonly takeOver: () => Promise<void>;
}

/** Stores the edits of a table in the browser, encrypted, whenever they change. */
export function persistEdits(editStore: EditStore, username: string, guid: string): PersistedEdits {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStored = false;
  let pause = PAUSE.least;
  // One after the other, so that an older state is never written last.
  let last: Promise<unknown> = Promise.resolve();

  const storage = storageMonitor(() => hasUnsaved(editStore.get()));
  const writeNow = async (now: StoredEdits | null) => {
    const location = { username, guid, tab: await thisTab() };
    await (now ? writeEdits(location, now) : removeEdits(location));
    isStored = now !== null;
  };
  const write = async () => {
    const now = editStore.snapshot();
    if (now === null && !isStored) return;
    const begun = performance.now();
    await storage.write(() => writeNow(now));
    const took = performance.now() - begun;
    pause = Math.min(Math.max(PAUSE.least, 4 * took), PAUSE.most);
  };
  const save = (): Promise<unknown> => {
    clearTimeout(timer);
    timer = undefined;
    const written = last.then(write);
    last = written.catch(() => undefined);
    return written;
  };
  const saveSoon = () => {
    timer ??= setTimeout(() => void save().catch(() => undefined), pause);
  };
  const saveBeforeEnd = () => {
    if (timer !== undefined) save().catch(() => undefined);
  };
  editStore.subscribe(saveSoon);
  editStore.subscribe(storage.update);
  editStore.steps.subscribe(saveSoon);
  addEventListener('pagehide', saveBeforeEnd);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') saveBeforeEnd();
  });

  const takeOver = async () => {
    const own = await thisTab();
    for (const other of await tabsWithEdits(username, guid)) {
      if (other === own) continue;
      const location = { username, guid, tab: other };
      // oxlint-disable-next-line no-await-in-loop -- each is merged with those before
      await navigator.locks.request(lockOf(other), { ifAvailable: true }, async (lock) => {
        // Edits that cannot be decrypted now stay in the database.
        const left = lock && (await readEdits(location).catch(() => null));
        if (!left) return;
        editStore.resume(left, { withSteps: namesOfTab().includes(other) });
        await save();
        await removeEdits(location);
      });
    }
  };
  return { storage, takeOver };
}
