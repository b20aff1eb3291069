import * as texts from '#messages/failures.ts';
import { type Store, createStore } from '#web/api/create-store.ts';
import { createWorkQueue } from '#web/api/work-queue.ts';
import { notifyFailure } from './notify.ts';

/** If the browser has not answered by then it counts as not storing, in milliseconds. */
const WRITE_TIMEOUT = 30_000;
/** Pages are shown without what is stored if the browser has not answered by then, in milliseconds. */
export const READ_TIMEOUT = 1_500;
/** Delay between a change and its write, in milliseconds; longer if writes are slow. */
const PAUSE = { least: 120, most: 2_000 };

/** Writes unsaved changes to the browser's storage, so that they survive the tab. */
export interface StorageWriter {
  /** Unsaved changes have changed: writes them after a pause, or when the page is hidden. */
  readonly changed: () => void;
  /** Writes now, after the write in progress. @throws the error of the write */
  readonly flush: () => Promise<void>;
  /** whether closing the tab would lose unsaved changes */
  readonly isAtRisk: Store<boolean>;
}

/**
 * While changes are not stored yet, the browser asks before it closes the tab. While its storage fails (full, blocked or
 * disabled) and there are unsaved changes, the user is informed once.
 * @param hasUnsaved whether there are unsaved changes that only the browser stores
 * @param write one write follows the other, so that an older state is never written last; rejects if the storage does not
 * answer (`withTimeout`); returns whether there was anything to write
 */
export function storageWriter(
  hasUnsaved: () => boolean,
  write: () => Promise<boolean>,
): StorageWriter {
  let hasFailed = false;
  let isInformed = false;
  let isPending = false;
  let writesInProgress = 0;
  let pause = PAUSE.least;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const runInOrder = createWorkQueue();
  const isAtRisk = createStore(false);
  const update = () => {
    isAtRisk.set(hasFailed && hasUnsaved());
    if (!isAtRisk.get() || isInformed) return;
    isInformed = true;
    notifyFailure(texts.notStored);
  };
  const writeNow = async () => {
    isPending = false;
    const startedAt = performance.now();
    try {
      if (await write()) {
        hasFailed = false;
        isInformed = false;
      }
    } catch (error) {
      hasFailed = true;
      isPending = true;
      throw error;
    } finally {
      writesInProgress -= 1;
      const took = performance.now() - startedAt;
      pause = Math.min(Math.max(PAUSE.least, 4 * took), PAUSE.most);
      update();
    }
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    update();
    writesInProgress += 1;
    return runInOrder(writeNow);
  };
  const flushPending = () => {
    if (isPending) flush().catch(() => undefined);
  };
  addEventListener('pagehide', flushPending);
  addEventListener('beforeunload', (event) => {
    flushPending();
    // Encrypting and storing take a moment, which a page does not get after this event.
    if ((writesInProgress > 0 || hasFailed) && hasUnsaved()) event.preventDefault();
  });
  // It is also dispatched when the page is shown again; nothing is pending then.
  document.addEventListener('visibilitychange', flushPending);
  return {
    changed() {
      isPending = true;
      update();
      timer ??= setTimeout(() => {
        // A write that began meanwhile may have written the change: then nothing is pending, and nothing else resets it.
        timer = undefined;
        flushPending();
      }, pause);
    },
    flush,
    isAtRisk,
  };
}

/** Rejects if the browser's storage does not answer within a time in milliseconds, by default half a minute. */
export async function withTimeout<T>(work: Promise<T>, limit = WRITE_TIMEOUT): Promise<T> {
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => timeout.reject(new Error('The browser’s storage does not answer.')),
    limit,
  );
  try {
    return await Promise.race([work, timeout.promise]);
  } finally {
    clearTimeout(timer);
  }
}
