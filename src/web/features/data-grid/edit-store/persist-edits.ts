import { namesOfTab, tabLockName, thisTab } from '#web/api/tab-name.ts';
import { withTimeout, storageWriter } from '#web/ui/storage-writer.ts';
import { hasUnsaved } from './edits.ts';
import { readEdits, removeEdits, tabsWithEdits, writeEdits } from './edit-database.ts';
import type { EditStore } from './edit-store.ts';

/** Stores the edits of a table in the browser, encrypted, whenever they change. */
export function persistEdits(editStore: EditStore, username: string, guid: string) {
  let isStored = false;
  const storage = storageWriter(
    () => hasUnsaved(editStore.get()),
    async () => {
      const now = editStore.snapshot();
      if (now === null && !isStored) return false;
      const location = { username, guid, tab: await thisTab() };
      await withTimeout(now ? writeEdits(location, now) : removeEdits(location));
      isStored = now !== null;
      return true;
    },
  );
  editStore.subscribe(storage.changed);
  editStore.steps.subscribe(storage.changed);

  /** Adds the edits of closed tabs from the database to the store. */
  const takeOver = async () => {
    const own = await thisTab();
    for (const other of await tabsWithEdits(username, guid)) {
      if (other === own) continue;
      const location = { username, guid, tab: other };
      // Each is merged with those before.
      await navigator.locks.request(tabLockName(other), { ifAvailable: true }, async (lock) => {
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
