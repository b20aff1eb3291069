import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import type { ArchiveDetail, Revision, RevisionDetail } from '#shared/answers.ts';
import type { Scalar } from '#shared/values.ts';
import { watched } from '#web/api/watched.ts';
import { sameKeywords, storedKeywords, storedValue } from './form-values.ts';

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

/** One save that can be taken back. */
export interface UndoStep {
  readonly revisionId: string;
  readonly changes: readonly FieldChange[];
}

/** The saves of one user in an archive, the last one on top. They last as long as the tab. */
export interface UndoStack {
  readonly top: () => UndoStep | undefined;
  readonly push: (step: UndoStep) => void;
  readonly drop: (step: UndoStep) => void;
  readonly subscribe: (listener: () => void) => () => void;
  /** a save that is under way; taking back waits for it, as it may be the one that is meant */
  readonly await: (saving: Promise<unknown>) => void;
  /** held while a step is being taken back, so that no two are at once; begins when no save is under way */
  readonly alone: (work: () => Promise<void>) => Promise<void>;
}

/** More than anybody takes back one by one. */
const MOST_STEPS = 200;

const stacks = new WeakMap<QueryClient, Map<string, UndoStack>>();

/** What a user can take back in an archive: it goes on through other rows and other pages. */
export function undoOf(client: QueryClient, username: string, archive: string): UndoStack {
  let ofClient = stacks.get(client);
  if (!ofClient) stacks.set(client, (ofClient = new Map()));
  const key = JSON.stringify([username, archive]);
  let stack = ofClient.get(key);
  if (!stack) ofClient.set(key, (stack = createStack()));
  return stack;
}

/** The save that would be taken back next. */
export function useUndoStep(stack: UndoStack): UndoStep | undefined {
  return useSyncExternalStore(stack.subscribe, stack.top);
}

function createStack(): UndoStack {
  const steps = watched<readonly UndoStep[]>([]);
  let busy = false;
  const saves = new Set<Promise<unknown>>();
  return {
    top: () => steps.get().at(-1),
    push: (step) => {
      if (step.changes.length > 0) steps.set([...steps.get(), step].slice(-MOST_STEPS));
    },
    drop: (step) => steps.set(steps.get().filter((one) => one !== step)),
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

/** What a save has changed, field by field. */
export function changesOf(
  archive: ArchiveDetail,
  before: RevisionDetail,
  after: Pick<Revision, 'indexFields' | 'keywordFields'>,
): FieldChange[] {
  const fields = archive.indexFieldDefinitions.map(({ name, label }): FieldChange => ({
    kind: 'indexFields',
    name,
    label,
    before: storedValue(before, name),
    after: storedValue(after, name),
  }));
  const keywords = archive.keywordFieldDefinitions.map(({ name, label }): FieldChange => ({
    kind: 'keywordFields',
    name,
    label,
    before: storedKeywords(before, name),
    after: storedKeywords(after, name),
  }));
  return [...fields, ...keywords].filter((change) => !sameStored(change.before, change.after));
}

/** What a field of a change holds in a revision. */
export function storedAt(
  revision: Pick<Revision, 'indexFields' | 'keywordFields'>,
  { kind, name }: Pick<FieldChange, 'kind' | 'name'>,
): Stored {
  return kind === 'indexFields' ? storedValue(revision, name) : storedKeywords(revision, name);
}

/** Whether both are the same value. */
export function sameStored(a: Stored, b: Stored): boolean {
  return typeof a === 'object' && a !== null && typeof b === 'object' && b !== null
    ? sameKeywords(a, b)
    : a === b;
}
