import * as texts from '#messages/failures.ts';
import { type Store, createStore } from '#web/api/create-store.ts';
import { notify } from './notify.ts';

/** If the browser has not answered by then it counts as not storing, in milliseconds. */
const ANSWERS_WITHIN = 30_000;

/** Monitors whether unsaved changes are stored in the browser, so that they survive the tab. */
export interface StorageMonitor {
  /** Runs a write; if it fails, or does not finish, the user is informed. @throws the error of the write */
  readonly write: (work: () => Promise<void>) => Promise<void>;
  /** Unsaved changes have changed. */
  readonly update: () => void;
  /** whether closing the tab would lose unsaved changes */
  readonly isAtRisk: Store<boolean>;
}

/**
 * While the browser's storage fails (full, blocked or disabled) and there are unsaved changes, the user is informed
 * once, and the browser asks before it closes the tab.
 * @param hasUnsaved whether there are unsaved changes that only the browser stores
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
