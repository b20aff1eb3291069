import { newIdempotencyKey } from '#web/api/request.ts';
import { inTime, storageWriter, type StorageWriter } from '#web/ui/storage-writer.ts';
import { hasUnsaved } from './edits.ts';
import { readEdits, removeEdits, tabsWithEdits, writeEdits } from './edit-database.ts';
import type { EditStore } from './edit-store.ts';

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
  readonly storage: StorageWriter;
  /** adds the edits of closed tabs from the database to the store */
  readonly takeOver: () => Promise<void>;
}

/** Stores the edits of a table in the browser, encrypted, whenever they change. */
export function persistEdits(editStore: EditStore, username: string, guid: string): PersistedEdits {
  let isStored = false;
  const storage = storageWriter(
    () => hasUnsaved(editStore.get()),
    async () => {
      const now = editStore.snapshot();
      if (now === null && !isStored) return false;
      const location = { username, guid, tab: await thisTab() };
      await inTime(now ? writeEdits(location, now) : removeEdits(location));
      isStored = now !== null;
      return true;
    },
  );
  editStore.subscribe(storage.changed);
  editStore.steps.subscribe(storage.changed);

  const takeOver = async () => {
    const own = await thisTab();
    for (const other of await tabsWithEdits(username, guid)) {
      if (other === own) continue;
      const location = { username, guid, tab: other };
      // Each is merged with those before.
      await navigator.locks.request(lockOf(other), { ifAvailable: true }, async (lock) => {
        // Edits that cannot be decrypted now stay in the database.
        const left = lock && (await readEdits(location).catch(() => null));
        if (!left) return;
        editStore.resume(left, { withSteps: namesOfTab().includes(other) });
        await storage.flush();
        await removeEdits(location);
      });
    }
  };
  return { storage, takeOver };
}
