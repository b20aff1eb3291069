import { cachePerClient } from '#web/api/cache-per-client.ts';
import { createStore, type ReadableStore } from '#web/api/create-store.ts';
import type { ApiFailure } from '#web/api/failure.ts';
import type { RevertReport } from './revert-report.ts';
import {
  stepRedone,
  stepUndone,
  type UndoDirection,
  type UndoStep,
  type UndoSteps,
  withStep,
} from './undo-steps.ts';

/** A user action that can be reverted; its label is used by the buttons: `17`, `3 revisions`. */
export interface RevertibleStep extends UndoStep {
  /** the changed record, if it is a single one */
  readonly recordId: string | null;
  /** the message to the user if the action was not undone or redone */
  readonly failure: (direction: UndoDirection, failure: ApiFailure) => string;
  /** Reverts it now, over the newest versions. @throws {CallError} if nothing could be reverted */
  readonly revert: () => Promise<RevertResult>;
}

/** The outcome of reverting a step. */
export interface RevertResult {
  readonly report: (direction: UndoDirection) => RevertReport;
  /** reverts the revert; null: nothing was reverted */
  readonly inverse: RevertibleStep | null;
}

interface UndoState extends UndoSteps<RevertibleStep> {
  /** the single record of the last action, if nothing was done since */
  readonly lastRecord: string | null;
}

/**
 * The actions of one user in one archive or table, oldest first, and which of them were reverted. It lasts as long as
 * the tab.
 */
export interface UndoHistory extends ReadableStore<UndoState> {
  /** adds a step (null: it changed nothing); previously reverted steps can no longer be redone */
  readonly push: (step: RevertibleStep | null, recordId?: string) => void;
  /** replaces a step by its inverse; null: it can no longer be undone or redone */
  readonly replace: (step: RevertibleStep, inverse: RevertibleStep | null) => void;
  /** registers a write in progress whose step will be pushed: undoing waits for it, because the user may mean it */
  readonly waitFor: (write: Promise<unknown>) => void;
  /**
   * Runs once no write is in progress; ignored while another run is in progress, so that no two steps are reverted at
   * once.
   */
  readonly run: (work: () => Promise<void>) => Promise<void>;
}

/** The history of a user in an archive or table. All pages of the tab share it. */
export const undoHistoryOf = cachePerClient((_client, _username: string, _list: string) =>
  createUndoHistory(),
);

function createUndoHistory(): UndoHistory {
  const { get, set, subscribe } = createStore<UndoState>({
    done: [],
    undone: [],
    lastRecord: null,
  });
  let isRunning = false;
  const writes = new Set<Promise<unknown>>();
  return {
    get,
    subscribe,
    push(step, recordId) {
      const steps = step ? withStep(get(), step) : get();
      set({ ...steps, lastRecord: recordId ?? step?.recordId ?? null });
    },
    replace(step, inverse) {
      const now = get();
      const isRedone = now.undone.includes(step);
      if (!isRedone && !now.done.includes(step)) return;
      const steps = (isRedone ? stepRedone : stepUndone)(now, step, inverse);
      set({ ...steps, lastRecord: null });
    },
    waitFor(write) {
      writes.add(write);
      const settled = () => void writes.delete(write);
      write.then(settled, settled);
    },
    async run(work) {
      if (isRunning) return;
      isRunning = true;
      try {
        await Promise.allSettled(writes);
        await work();
      } finally {
        isRunning = false;
      }
    },
  };
}
