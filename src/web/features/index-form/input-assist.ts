import * as texts from '#messages/workspaces.ts';
import { userLocale } from '#shared/messages/format.ts';
import { type Notation, notationOf } from '#shared/values/readings.ts';
import { cachePerClient } from '#web/api/cache-per-client.ts';
import { createStore } from '#web/api/create-store.ts';
import type { PageSuggestion, HighlightedValue } from '#web/fields/highlighted-value.ts';
import { notify } from '#web/ui/notify.ts';
import { READ_TIMEOUT } from '#web/ui/storage-writer.ts';
import type { CarriedOverValues } from './carried-over-values.ts';
import { type FieldValues } from './form-values.ts';
import {
  inputAssistStorage,
  NOTHING_STORED,
  type PreviousRevision,
  type StoredInputAssist,
} from './input-assist-storage.ts';

/** The state that saves typing, by user and archive: it outlives the form of one revision. */
export type InputAssist = ReturnType<typeof createInputAssist>;

/** The input assistance of a user in an archive (its table name). */
export const inputAssistOf = cachePerClient((_client, username: string, archive: string) =>
  createInputAssist(username, archive),
);

const disk = inputAssistStorage();

function createInputAssist(username: string, archive: string) {
  const state = createStore(NOTHING_STORED);
  let notation = notationOf(userLocale());
  let receiver: ((text: string) => void) | null = null;
  const ready = createStore(false);
  const change = (changed: Partial<StoredInputAssist>) => {
    state.set({ ...state.get(), ...changed });
    void disk.write(username, archive, state.get());
  };
  const carriedOver = (queue: string | null): CarriedOverValues => {
    const now = state.get();
    return queue === now.queue ? now.carriedOver : NOTHING_STORED.carriedOver;
  };
  const timeout = setTimeout(() => ready.set(true), READ_TIMEOUT);
  const loadStored = async () => {
    const stored = await disk.read(username, archive);
    clearTimeout(timeout);
    // Work done since the page was opened is newer.
    const now = state.get();
    const corrected = now.corrected.reduceRight(
      (older, one) => newestTwo(one, older),
      stored.corrected,
    );
    const viewed = now.viewed.reduceRight((older, one) => newestTwo(one, older), stored.viewed);
    const isUnchanged = now.carriedOver === NOTHING_STORED.carriedOver;
    state.set({ ...(isUnchanged ? stored : now), corrected, viewed });
    ready.set(true);
  };
  void loadStored();
  return {
    /** whether the tab's state before a reload is loaded; no form may be opened before */
    ready,

    /** the previously corrected revision; if there is none, the previously viewed one */
    previous: (revisionId: string): PreviousRevision | undefined => {
      const { corrected, viewed } = state.get();
      return [...corrected, ...viewed].find((revision) => revision.revisionId !== revisionId);
    },
    addCorrected: (revision: PreviousRevision) =>
      change({ corrected: newestTwo(revision, state.get().corrected) }),
    addViewed: (revision: PreviousRevision) =>
      change({ viewed: newestTwo(revision, state.get().viewed) }),

    /** Fields of a revision have other values, because a save was undone. */
    updateValues: (revisionId: string, values: FieldValues) => {
      const rewrite = (revision: PreviousRevision) =>
        revision.revisionId === revisionId
          ? { revisionId, values: new Map([...revision.values, ...values]) }
          : revision;
      const { corrected, viewed } = state.get();
      change({ corrected: corrected.map(rewrite), viewed: viewed.map(rewrite) });
    },

    /** The name of the field in the present form that has or last had the focus; null: none. */
    currentField: createStore<string | null>(null),

    /** The value of the focused field, to highlight in the document; null: none. */
    highlightedValue: createStore<HighlightedValue | null>(null),
    /** The document's text at the place of that value; null: none, or the document contains the value. */
    pageSuggestion: createStore<PageSuggestion | null>(null),

    /** The values carried over in a queue (null: in the list); they end with it. */
    carriedOver,
    changeCarriedOver: (
      queue: string | null,
      changed: (values: CarriedOverValues) => CarriedOverValues,
    ) => change({ queue, carriedOver: changed(carriedOver(queue)) }),
    subscribe: state.subscribe,

    /** the notation of numbers and dates in the documents: by the user's language until the user chose another */
    notation: (): Notation => notation,
    /**
     * Learns the notation that a choice implies; null: unknown. A chosen decimal mark also determines the grouping, if the
     * user's own is ambiguous.
     */
    learnNotation: ({
      decimal,
      order,
      grouping = decimal === null ? notation.grouping : undefined,
    }: Notation) => {
      notation = {
        decimal: decimal ?? notation.decimal,
        order: order ?? notation.order,
        ...(grouping ? { grouping } : {}),
      };
    },

    /** Puts a text, such as one selected in the document, into the last focused field of the form. */
    insertText: (text: string): void => {
      if (receiver) receiver(text);
      else notify(texts.openForm);
    },
    /** Registers the form that receives texts. */
    onInsertText: (next: (text: string) => void) => {
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
