import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { createStore } from '#web/api/create-store.ts';

/** Something that a user did and that can be reverted. */
export interface UndoStep {
  /** what a button that reverts it names: `17`, `3 revisions` */
  readonly label: string;
  /** the record that it changed, where it is a single one */
  readonly recordId: string | null;
  /** that it was not undone, or not redone, as a sentence before the reason */
  readonly failure: (verb: Verb, reason: string) => string;
  /** Reverts it now, over the newest versions. @throws {CallError} where nothing could be reverted */
  readonly revert: () => Promise<RevertResult>;
}

/** What was done with a step. */
export type Verb = 'undone' | 'redone';

/** The outcome of reverting a step. */
export interface RevertResult {
  /** the outcome in whole sentences */
  readonly message: (verb: Verb) => string;
  /** what was not reverted, as somebody has changed it since: each record or field with the reason, as a sentence */
  readonly unreverted: readonly Unreverted[];
  /** reverts the revert; null: nothing was reverted */
  readonly inverse: UndoStep | null;
}

export interface Unreverted {
  /** the record, or the field of the step's record */
  readonly id: string;
  readonly message: string;
}

/** A step of the history, and whether it can be undone or redone. */
interface Entry {
  /** while `done`, what undoes it; while `reverted`, what redoes it */
  readonly step: UndoStep;
  readonly by: string;
  readonly state: 'done' | 'reverted';
}

/** What one user did in one archive or table, oldest first, and which of it was reverted. It lasts as long as the tab. */
export interface UndoHistory {
  readonly entries: () => readonly Entry[];
  readonly subscribe: (listener: () => void) => () => void;
  /** the single record that was changed last, where nothing was done since */
  readonly lastRecord: () => string | null;
  /** adds a step (null: it changed nothing); steps that were reverted before can no longer be redone */
  readonly push: (step: UndoStep | null, recordId?: string) => void;
  /** replaces a step by what reverts it in its turn; null: it can be neither undone nor redone any more */
  readonly replace: (step: UndoStep, inverse: UndoStep | null) => void;
  /** tells that a write is under way whose step will be pushed: undoing waits for it, as it may be the one meant */
  readonly waitFor: (write: Promise<unknown>) => void;
  /** Runs once no write is under way; ignored while another runs, so that no two steps are reverted at once. */
  readonly run: (work: () => Promise<void>) => Promise<void>;
}

/** More than anybody reverts one by one. */
const MAX_STEPS = 200;

const histories = new WeakMap<QueryClient, Map<string, UndoHistory>>();

/** The history of a user in an archive or table. All pages of the tab share it. */
export function undoHistoryOf(client: QueryClient, username: string, list: string): UndoHistory {
  const ofClient = histories.get(client) ?? new Map<string, UndoHistory>();
  histories.set(client, ofClient);
  const key = JSON.stringify([username, list]);
  const history = ofClient.get(key) ?? createUndoHistory(username);
  ofClient.set(key, history);
  return history;
}

/** The step that would be undone next. */
export function undoStepOf(history: UndoHistory): UndoStep | undefined {
  return history.entries().findLast(({ state }) => state === 'done')?.step;
}

/** The step that would be redone next: of those that were reverted, the first. */
export function redoStepOf(history: UndoHistory): UndoStep | undefined {
  return history.entries().find(({ state }) => state === 'reverted')?.step;
}

export function useUndoStep(history: UndoHistory): UndoStep | undefined {
  return useSyncExternalStore(history.subscribe, () => undoStepOf(history));
}

export function useLastRecord(history: UndoHistory): string | null {
  return useSyncExternalStore(history.subscribe, history.lastRecord);
}

function createUndoHistory(by: string): UndoHistory {
  const entries = createStore<readonly Entry[]>([]);
  let lastRecord: string | null = null;
  let isRunning = false;
  const writes = new Set<Promise<unknown>>();
  return {
    entries: entries.get,
    subscribe: entries.subscribe,
    lastRecord: () => lastRecord,
    push(step, recordId) {
      lastRecord = recordId ?? step?.recordId ?? null;
      const before = entries.get();
      entries.set(
        step
          ? [
              ...before.filter(({ state }) => state === 'done'),
              { step, by, state: 'done' as const },
            ].slice(-MAX_STEPS)
          : [...before],
      );
    },
    replace(step, inverse) {
      lastRecord = null;
      entries.set(
        entries.get().flatMap((entry) => {
          if (entry.step !== step) return [entry];
          const state = entry.state === 'done' ? 'reverted' : 'done';
          return inverse ? [{ ...entry, step: inverse, state }] : [];
        }),
      );
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
