import * as texts from '#messages/workspaces.ts';
import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { userLocale } from '#shared/messages/format.ts';
import { type Habits, habitsOf } from '#shared/values/readings.ts';
import { createStore, type Store } from '#web/api/create-store.ts';
import type { PageOffer, HighlightedValue } from '#web/fields/highlighted-value.ts';
import { notify } from '#web/ui/notify.ts';
import type { StickyValues } from './sticky-values.ts';
import { type FieldValues } from './form-values.ts';
import { type Previous, inputAssistStorage } from './input-assist-storage.ts';

/** What helps to type less, by user and archive: it outlives the form of one revision. */
export interface InputAssist {
  /** whether what the tab had before a reload is read; no form is to be opened before */
  readonly ready: () => boolean;
  readonly subscribeReady: (listener: () => void) => () => void;

  /** the revision corrected before this one; where none was, the one looked at before it */
  readonly previous: (revisionId: string) => Previous | undefined;
  readonly corrected: (worked: Previous) => void;
  readonly lookedAt: (worked: Previous) => void;

  /** Fields of a revision hold something else now, as a save was undone. */
  readonly rewritten: (revisionId: string, values: FieldValues) => void;

  /** The name of the field that the cursor is in, or was in last, in the form that stands there; null: none. */
  readonly here: () => string | null;
  readonly goneInto: (label: string | null) => void;
  readonly subscribeHere: (listener: () => void) => () => void;

  /** The value of the field that the cursor is in, to be highlighted in the document; null: none. */
  readonly highlightedValue: Store<HighlightedValue | null>;
  /** What the document has in the place of that value; null: nothing, or the document has the value. */
  readonly offered: Store<PageOffer | null>;

  /** The carried fields; they hold in the queue where they were pinned (null: in the list), and end with it. */
  readonly pins: (queue: string | null) => StickyValues;
  readonly changePins: (queue: string | null, change: (pins: StickyValues) => StickyValues) => void;
  readonly subscribe: (listener: () => void) => () => void;

  /** how numbers and dates are written in the documents: by the reader's language until the clerk chose otherwise */
  readonly habits: () => Habits;
  /** what a choice has told; null: nothing about that */
  readonly learn: (habits: Habits) => void;

  /** Puts a text, such as one marked in the document, into the field of the form that the cursor was in last. */
  readonly takeText: (text: string) => void;
  /** The form that takes texts now. */
  readonly onText: (taker: (text: string) => void) => () => void;
}

const stores = new WeakMap<QueryClient, Map<string, InputAssist>>();

/** What is kept for a user's typing in an archive (its table name). */
export function inputAssistOf(client: QueryClient, username: string, archive: string): InputAssist {
  let ofClient = stores.get(client);
  if (!ofClient) stores.set(client, (ofClient = new Map()));
  const key = JSON.stringify([username, archive]);
  let inputAssist = ofClient.get(key);
  if (!inputAssist) ofClient.set(key, (inputAssist = createTyping(username, archive)));
  return inputAssist;
}

/** The name of the field that a text from the document would be put into; null: none was chosen yet. */
export function useFieldHere(inputAssist: InputAssist): string | null {
  return useSyncExternalStore(inputAssist.subscribeHere, inputAssist.here);
}

/** Whether forms can be opened: what the tab had before a reload is read. */
export function useInputAssistReady(inputAssist: InputAssist): boolean {
  return useSyncExternalStore(inputAssist.subscribeReady, inputAssist.ready);
}

/** The carried fields of a queue; null: of the list. */
export function useStickyValues(inputAssist: InputAssist, queue: string | null): StickyValues {
  return useSyncExternalStore(inputAssist.subscribe, () => inputAssist.pins(queue));
}

const NO_PINS: StickyValues = new Map();
const disk = inputAssistStorage();
/** A browser's storage that does not answer is not waited for longer, in milliseconds. */
const READ_WITHIN = 1500;

function createTyping(username: string, archive: string): InputAssist {
  let corrected: readonly Previous[] = [];
  let lookedAt: readonly Previous[] = [];
  let habits = habitsOf(userLocale());
  let taker: ((text: string) => void) | null = null;
  let pinnedIn: string | null = null;
  const here = createStore<string | null>(null);
  const ready = createStore(false);
  const pins = createStore<StickyValues>(NO_PINS);
  const pinsOf = (queue: string | null) => (queue === pinnedIn ? pins.get() : NO_PINS);
  const keep = () =>
    void disk.write(username, archive, {
      queue: pinnedIn,
      pins: pins.get(),
      corrected,
      lookedAt,
    });
  const late = setTimeout(() => ready.set(true), READ_WITHIN);
  const takeStored = async () => {
    const kept = await disk.read(username, archive);
    clearTimeout(late);
    // What was done since the page was opened is newer.
    corrected = corrected.reduceRight((older, one) => newestTwo(one, older), kept.corrected);
    lookedAt = lookedAt.reduceRight((older, one) => newestTwo(one, older), kept.lookedAt);
    if (pins.get() === NO_PINS) {
      pinnedIn = kept.queue;
      pins.set(kept.pins);
    }
    ready.set(true);
  };
  void takeStored();
  return {
    previous: (revisionId) => {
      const isOther = (worked: Previous) => worked.revisionId !== revisionId;
      return corrected.find(isOther) ?? lookedAt.find(isOther);
    },
    corrected: (worked) => {
      corrected = newestTwo(worked, corrected);
      keep();
    },
    lookedAt: (worked) => {
      lookedAt = newestTwo(worked, lookedAt);
      keep();
    },
    rewritten: (revisionId, values) => {
      const rewrite = (worked: Previous) =>
        worked.revisionId === revisionId
          ? { revisionId, values: new Map([...worked.values, ...values]) }
          : worked;
      corrected = corrected.map(rewrite);
      lookedAt = lookedAt.map(rewrite);
      keep();
    },
    ready: ready.get,
    subscribeReady: ready.subscribe,
    here: here.get,
    goneInto: here.set,
    subscribeHere: here.subscribe,
    highlightedValue: createStore<HighlightedValue | null>(null),
    offered: createStore<PageOffer | null>(null),
    pins: pinsOf,
    changePins: (queue, change) => {
      const changed = change(pinsOf(queue));
      pinnedIn = queue;
      pins.set(changed);
      keep();
    },
    subscribe: pins.subscribe,
    habits: () => habits,
    // A chosen mark before decimals settles what the reader's own groups left open.
    learn: ({ decimal, order, grouping = decimal === null ? habits.grouping : undefined }) => {
      habits = {
        decimal: decimal ?? habits.decimal,
        order: order ?? habits.order,
        ...(grouping ? { grouping } : {}),
      };
    },
    takeText: (text) => {
      if (taker) taker(text);
      else notify(texts.openForm);
    },
    onText: (next) => {
      taker = next;
      return () => {
        if (taker === next) taker = null;
      };
    },
  };
}

/** Of two revisions one is always another than the one that is asked from. */
function newestTwo(worked: Previous, before: readonly Previous[]): readonly Previous[] {
  return [worked, ...before.filter(({ revisionId }) => revisionId !== worked.revisionId)].slice(
    0,
    2,
  );
}
