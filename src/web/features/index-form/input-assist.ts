import * as texts from '#messages/workspaces.ts';
import { useSyncExternalStore } from 'react';
import { userLocale } from '#shared/messages/format.ts';
import { type Notation, notationOf } from '#shared/values/readings.ts';
import { cachePerClient } from '#web/api/cache-per-client.ts';
import { createStore, type ReadableStore, type Store } from '#web/api/create-store.ts';
import type { PageSuggestion, HighlightedValue } from '#web/fields/highlighted-value.ts';
import { notify } from '#web/ui/notify.ts';
import { READ_TIMEOUT } from '#web/ui/storage-writer.ts';
import type { CarriedOverValues } from './carried-over-values.ts';
import { type FieldValues } from './form-values.ts';
import { type PreviousRevision, inputAssistStorage } from './input-assist-storage.ts';

/** The state that saves typing, by user and archive: it outlives the form of one revision. */
export interface InputAssist {
  /** whether the tab's state before a reload is loaded; no form may be opened before */
  readonly ready: ReadableStore<boolean>;

  /** the previously corrected revision; if there is none, the previously viewed one */
  readonly previous: (revisionId: string) => PreviousRevision | undefined;
  readonly addCorrected: (revision: PreviousRevision) => void;
  readonly addViewed: (revision: PreviousRevision) => void;

  /** Fields of a revision have other values, because a save was undone. */
  readonly updateValues: (revisionId: string, values: FieldValues) => void;

  /** The name of the field in the present form that has or last had the focus; null: none. */
  readonly currentField: Store<string | null>;

  /** The value of the focused field, to highlight in the document; null: none. */
  readonly highlightedValue: Store<HighlightedValue | null>;
  /** The document's text at the place of that value; null: none, or the document contains the value. */
  readonly pageSuggestion: Store<PageSuggestion | null>;

  /** The values carried over in a queue (null: in the list); they end with it. */
  readonly carriedOver: (queue: string | null) => CarriedOverValues;
  readonly changeCarriedOver: (
    queue: string | null,
    change: (values: CarriedOverValues) => CarriedOverValues,
  ) => void;
  readonly subscribe: (listener: () => void) => () => void;

  /** the notation of numbers and dates in the documents: by the user's language until the user chose another */
  readonly notation: () => Notation;
  /** the notation that a choice implies; null: unknown */
  readonly learnNotation: (notation: Notation) => void;

  /** Puts a text, such as one selected in the document, into the last focused field of the form. */
  readonly insertText: (text: string) => void;
  /** Registers the form that receives texts. */
  readonly onInsertText: (receiver: (text: string) => void) => () => void;
}

/** The input assistance of a user in an archive (its table name). */
export const inputAssistOf = cachePerClient((_client, username: string, archive: string) =>
  createInputAssist(username, archive),
);

/** The values carried over in a queue; null: in the list. */
export function useCarriedOverValues(
  inputAssist: InputAssist,
  queue: string | null,
): CarriedOverValues {
  return useSyncExternalStore(inputAssist.subscribe, () => inputAssist.carriedOver(queue));
}

const NONE_CARRIED_OVER: CarriedOverValues = new Map();
const disk = inputAssistStorage();

function createInputAssist(username: string, archive: string): InputAssist {
  let corrected: readonly PreviousRevision[] = [];
  let viewed: readonly PreviousRevision[] = [];
  let notation = notationOf(userLocale());
  let receiver: ((text: string) => void) | null = null;
  let carriedOverQueue: string | null = null;
  const ready = createStore(false);
  const values = createStore<CarriedOverValues>(NONE_CARRIED_OVER);
  const carriedOverOf = (queue: string | null) =>
    queue === carriedOverQueue ? values.get() : NONE_CARRIED_OVER;
  const persist = () =>
    void disk.write(username, archive, {
      queue: carriedOverQueue,
      carriedOver: values.get(),
      corrected,
      viewed,
    });
  const timeout = setTimeout(() => ready.set(true), READ_TIMEOUT);
  const loadStored = async () => {
    const stored = await disk.read(username, archive);
    clearTimeout(timeout);
    // Work done since the page was opened is newer.
    corrected = corrected.reduceRight((older, one) => newestTwo(one, older), stored.corrected);
    viewed = viewed.reduceRight((older, one) => newestTwo(one, older), stored.viewed);
    if (values.get() === NONE_CARRIED_OVER) {
      carriedOverQueue = stored.queue;
      values.set(stored.carriedOver);
    }
    ready.set(true);
  };
  void loadStored();
  return {
    previous: (revisionId) => {
      const isOther = (revision: PreviousRevision) => revision.revisionId !== revisionId;
      return corrected.find(isOther) ?? viewed.find(isOther);
    },
    addCorrected: (revision) => {
      corrected = newestTwo(revision, corrected);
      persist();
    },
    addViewed: (revision) => {
      viewed = newestTwo(revision, viewed);
      persist();
    },
    updateValues: (revisionId, values) => {
      const rewrite = (revision: PreviousRevision) =>
        revision.revisionId === revisionId
          ? { revisionId, values: new Map([...revision.values, ...values]) }
          : revision;
      corrected = corrected.map(rewrite);
      viewed = viewed.map(rewrite);
      persist();
    },
    ready,
    currentField: createStore<string | null>(null),
    highlightedValue: createStore<HighlightedValue | null>(null),
    pageSuggestion: createStore<PageSuggestion | null>(null),
    carriedOver: carriedOverOf,
    changeCarriedOver: (queue, change) => {
      const changed = change(carriedOverOf(queue));
      carriedOverQueue = queue;
      values.set(changed);
      persist();
    },
    subscribe: values.subscribe,
    notation: () => notation,
    // A chosen decimal mark also determines the grouping, if the user's own is ambiguous.
    learnNotation: ({
      decimal,
      order,
      grouping = decimal === null ? notation.grouping : undefined,
    }) => {
      notation = {
        decimal: decimal ?? notation.decimal,
        order: order ?? notation.order,
        ...(grouping ? { grouping } : {}),
      };
    },
    insertText: (text) => {
      if (receiver) receiver(text);
      else notify(texts.openForm);
    },
    onInsertText: (next) => {
      receiver = next;
      return () => {
        if (receiver === next) receiver = null;
      };
    },
  };
}

/** At least one of two revisions differs from the present one. */
function newestTwo(
  revision: PreviousRevision,
  before: readonly PreviousRevision[],
): readonly PreviousRevision[] {
  return [revision, ...before.filter(({ revisionId }) => revisionId !== revision.revisionId)].slice(
    0,
    2,
  );
}
