import type { EditStore } from './edit-store.ts';
import { storageMonitor, type StorageMonitor } from '#web/ui/storage-monitor.ts';
import type { EditStorage, StoredEdits } from './edit-storage.ts';
import { countEdits } from './edits.ts';

/** Milliseconds after a change until it is on the disk. */
const PAUSE = 120;

/**
 * Keeps a desk on the disk from change to change, and begins with what earlier tabs left behind. Where the browser
 * keeps nothing the desk lives as long as its tab, and the person is informed.
 */
export function persistEdits(
  editStore: EditStore,
  disk: EditStorage,
  username: string,
  guid: string,
): StorageMonitor {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let kept: StoredEdits | null = null;
  // One write after the other, so that an older state never comes last.
  let last: Promise<unknown> = Promise.resolve();

  const storage = storageMonitor(() => {
    const { waiting, problems } = countEdits(editStore.get());
    return waiting + problems > 0;
  });

  const save = () => {
    clearTimeout(timer);
    timer = undefined;
    const now = editStore.snapshot();
    if (now === null && kept === null) return;
    kept = now;
    const write = () =>
      now === null ? disk.remove(username, guid) : disk.write(username, guid, now);
    const watchedWrite = () => storage.write(write);
    last = last.then(watchedWrite, watchedWrite).catch(() => undefined);
  };
  const soon = () => {
    timer ??= setTimeout(save, PAUSE);
  };
  editStore.subscribe(soon);
  editStore.subscribe(storage.update);
  editStore.steps.subscribe(soon);
  // The last chance before a tab is closed or put to sleep.
  addEventListener('pagehide', save);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden' && timer !== undefined) save();
  });

  disk.onTaken(
    username,
    guid,
    () => kept !== null,
    () => {
      if (kept) editStore.handedOver(kept);
      save();
    },
  );
  const takeOver = async () => {
    const again = await disk.takeOver(username, guid, async (left) => {
      editStore.adopt(left);
      save();
      await last;
    });
    // A moment more, so that a tab that is awake has renewed what it holds.
    if (again !== null) setTimeout(() => void takeOver().catch(() => undefined), again + 1_000);
  };
  takeOver().catch(() => undefined);
  return storage;
}
