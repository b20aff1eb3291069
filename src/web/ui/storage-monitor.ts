import * as texts from '#messages/failures.ts';
import { type Store, createStore } from '#web/api/create-store.ts';
import { notify } from './notify.ts';

/** A browser that has not answered by then stores nothing, in milliseconds. */
const ANSWERS_WITHIN = 30_000;

/** Watches whether what is not saved is stored in the browser, so that it outlives the tab. */
export interface StorageMonitor {
  /** Runs a write; where it fails, or does not end, the person is informed. @throws what the write throws */
  readonly write: (work: () => Promise<void>) => Promise<void>;
  /** What is unsaved has changed. */
  readonly update: () => void;
  /** whether something is unsaved that closing the tab would lose */
  readonly isAtRisk: Store<boolean>;
}

/**
 * While the browser's storage fails (full, blocked or forbidden) and something is unsaved, the person is informed
 * once, and the browser asks before it closes the tab.
 * @param hasUnsaved whether something is unsaved that only the browser keeps
 */
export function storageMonitor(hasUnsaved: () => boolean): StorageMonitor {
  let hasFailed = false;
  let isInformed = false;
  const isAtRisk = createStore(false);
  const holdTab = (event: BeforeUnloadEvent) => event.preventDefault();
  const update = () => {
    isAtRisk.set(hasFailed && hasUnsaved());
    if (!isAtRisk.get()) {
      removeEventListener('beforeunload', holdTab);
      return;
    }
    addEventListener('beforeunload', holdTab);
    if (isInformed) return;
    isInformed = true;
    notify(texts.notStored);
  };
  return {
    async write(work) {
      try {
        await inTime(work());
        hasFailed = false;
        isInformed = false;
      } catch (error) {
        hasFailed = true;
        throw error;
      } finally {
        update();
      }
    },
    update,
    isAtRisk,
  };
}

async function inTime(work: Promise<void>): Promise<void> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error('The browser’s storage does not answer.')),
    ANSWERS_WITHIN,
  );
  try {
    await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
