import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { Scalar } from '#shared/values/values.ts';
import { formatCount } from '#shared/messages/format.ts';
import { createStore } from './create-store.ts';

/** What a field of a revision held: the value of an index field, or the keywords of a keyword field. */
export type Stored = Scalar | readonly string[];

/** What a save did to one field. */
export interface FieldChange {
  readonly kind: 'indexFields' | 'keywordFields';
  readonly name: string;
  readonly label: string;
  readonly before: Stored;
  readonly after: Stored;
}

/** The save of one revision. */
export interface SavedStep {
  readonly kind: 'saved';
  readonly revisionId: string;
  readonly changes: readonly FieldChange[];
}

/** The correction of several revisions by one call. */
export interface TogetherStep {
  readonly kind: 'together';
  /** how many revisions it changed */
  readonly count: number;
  /** Puts the old values back in one call. @throws {CallError} where nothing could be put back */
  readonly takeBack: () => Promise<TogetherTaken>;
}

/** What came of taking a correction of several revisions back. */
export interface TogetherTaken {
  /** how many revisions hold their old values again */
  readonly count: number;
  /** the fields of which they were */
  readonly labels: readonly string[];
  /** the revisions that were left as they are now, each with why */
  readonly left: readonly { readonly revisionId: string; readonly message: string }[];
  /** does it again; null: there is nothing to redo */
  readonly inverse: TogetherStep | null;
}

/** One thing done in an archive that can be undone. */
export type UndoStep = SavedStep | TogetherStep;

/**
 * What one user did in an archive, in the order in which it was done, and what of it was undone. It
 * lasts as long as the tab.
 */
export interface UndoStack {
  /** what would be undone next */
  readonly top: () => UndoStep | undefined;
  /** the revision that was saved last, where nothing was done since */
  readonly lastSaved: () => string | null;
  /** what would be redone next */
  readonly topAgain: () => UndoStep | undefined;
  /** something new was done: what was undone before it is not redone any more */
  readonly push: (step: UndoStep) => void;
  readonly drop: (step: UndoStep) => void;
  /** @param again does it again; null: nothing of it */
  readonly takenBack: (step: UndoStep, again: UndoStep | null) => void;
  /** @param step takes it back once more; null: nothing of it */
  readonly doneAgain: (again: UndoStep, step: UndoStep | null) => void;
  readonly subscribe: (listener: () => void) => () => void;
  /** a save that is under way; undoing waits for it, as it may be the one that is meant */
  readonly await: (saving: Promise<unknown>) => void;
  /** held while a step is being undone, so that no two are at once; begins when no save is under way */
  readonly alone: (work: () => Promise<void>) => Promise<void>;
}

/** More than anybody undoes one by one. */
const MOST_STEPS = 200;

const stacks = new WeakMap<QueryClient, Map<string, UndoStack>>();

/** What a user can undo in an archive: it goes on through other rows and other pages. */
export function undoOf(client: QueryClient, username: string, archive: string): UndoStack {
  let ofClient = stacks.get(client);
  if (!ofClient) stacks.set(client, (ofClient = new Map()));
  const key = JSON.stringify([username, archive]);
  let stack = ofClient.get(key);
  if (!stack) ofClient.set(key, (stack = createStack()));
  return stack;
}

/** What would be undone next. */
export function useUndoStep(stack: UndoStack): UndoStep | undefined {
  return useSyncExternalStore(stack.subscribe, stack.top);
}

/** The revision that was saved last, where nothing was done since. */
export function useLastSaved(stack: UndoStack): string | null {
  return useSyncExternalStore(stack.subscribe, stack.lastSaved);
}

/** `17` for the save of that revision, `3 revisions` for a correction of several. */
export function aboutStep(step: UndoStep): string {
  return step.kind === 'saved'
    ? step.revisionId
    : `${formatCount(step.count)} ${step.count === 1 ? 'revision' : 'revisions'}`;
}

function createStack(): UndoStack {
  const steps = createStore<readonly UndoStep[]>([]);
  let again: readonly UndoStep[] = [];
  let saved: string | null = null;
  let busy = false;
  const saves = new Set<Promise<unknown>>();
  const add = (step: UndoStep) => {
    if (step.kind === 'together' ? step.count > 0 : step.changes.length > 0) {
      steps.set([...steps.get(), step].slice(-MOST_STEPS));
      return true;
    }
    return false;
  };
  const drop = (step: UndoStep) => {
    saved = null;
    steps.set(steps.get().filter((one) => one !== step));
  };
  return {
    top: () => steps.get().at(-1),
    lastSaved: () => saved,
    topAgain: () => again.at(-1),
    push: (step) => {
      saved = step.kind === 'saved' ? step.revisionId : null;
      if (add(step)) again = [];
    },
    drop,
    takenBack: (step, inverse) => {
      drop(step);
      if (inverse) again = [...again, inverse];
    },
    doneAgain: (inverse, step) => {
      again = again.filter((one) => one !== inverse);
      if (step) add(step);
    },
    subscribe: steps.subscribe,
    await(saving) {
      saves.add(saving);
      const over = () => void saves.delete(saving);
      saving.then(over, over);
    },
    async alone(work) {
      if (busy) return;
      busy = true;
      try {
        await Promise.allSettled(saves);
        await work();
      } finally {
        busy = false;
      }
    },
  };
}
