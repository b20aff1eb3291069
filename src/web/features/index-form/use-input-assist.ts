import { isBoolean } from '#shared/values/registry.ts';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import type { Stored } from '#web/api/undo.ts';
import { isOneLine } from '#web/fields/one-line.ts';
import { formatFieldValue } from '#web/fields/typed-text.ts';
import { notify } from '#web/ui/notify.ts';
import { valueText } from '#web/fields/value-text.ts';
import { editedPlaces, type StickyValues, nextStickyValues, settleAt } from './sticky-values.ts';
import type { Edits, FormValues } from './form-values.ts';
import {
  type Held,
  asSaved,
  fieldValueText,
  fieldValues,
  indexFieldAt,
  isList,
  placesOf,
  isSameFieldValue,
  storedFieldValue,
} from './field-value.ts';
import { placeOf } from './form-focus.ts';
import { nextOpen, openPlaces, urgentPlaces, worthwhilePlaces } from './open-fields.ts';
import { type Meant, takeInto } from './take-text.ts';
import { type InputAssist, useStickyValues } from './input-assist.ts';
import { usuallyFilledQuery } from './usually-filled.ts';

/** Where what stands in a field comes from; it holds as long as that stands there. */
export type FieldNote = { readonly held: Held } & (
  | { readonly kind: 'carried' | 'copied' | 'restored'; readonly from: string }
  | { readonly kind: 'taken'; readonly written: string; readonly others: readonly Meant[] }
  | { readonly kind: 'unread'; readonly written: string }
);

/** Lays values over the form, by the places of its fields. @param from the moment they come from, in words */
export type PutStored = (values: ReadonlyMap<string, Stored>, from: string) => void;

/** A text from the document that can be meant in several ways. */
export interface Question {
  readonly place: string;
  readonly written: string;
  readonly meanings: readonly Meant[];
}

/** What can be done at one field, by its place. */
export interface FieldActs {
  /** keeps its value for the next forms, or no longer */
  readonly pin: (place: string) => void;
  /** puts back what is stored */
  readonly revert: (place: string) => void;
  /** takes another meaning of the text that was taken into it */
  readonly reread: (place: string, meant: Meant) => void;
}

interface TypingOptions {
  readonly archive: ArchiveDetail;
  readonly inputAssist: InputAssist;
  /** the queue that the form stands in; null: the list */
  readonly queue: string | null;
  readonly form: UseFormReturn<FormValues>;
  /** the version that the editors stand on */
  readonly revision: RevisionDetail;
  readonly edits: () => Edits;
  /** what the form was opened with */
  readonly carried: StickyValues;
  /** the places that the service refused */
  readonly refused: ReadonlySet<string>;
  /** the field that the cursor is in, or was in last */
  readonly here: string | null;
  /** false: nothing can be put into the fields now */
  readonly editable: boolean;
  readonly goTo: (place: string) => void;
}

/** What helps to type less in the form of one revision. */
export function useInputAssist(options: TypingOptions) {
  const { archive, inputAssist, form, revision, carried, here, editable, goTo } = options;
  const { revisionId } = revision;
  const pins = useStickyValues(inputAssist, options.queue);
  const [notes, setNotes] = useState<ReadonlyMap<string, FieldNote>>(
    () =>
      new Map(
        [...carried].map(([place, { value, from }]) => [
          place,
          { kind: 'carried', held: value, from },
        ]),
      ),
  );
  const [question, setQuestion] = useState<Question | null>(null);
  // Where the jump keys have led, and how many steps from where they began.
  const jumped = useRef<{ to: string | null; steps: number }>({ to: null, steps: 0 });
  /** the revision of which was said that only seldom used fields are empty */
  const onlySeldom = useRef<string | null>(null);
  const { data: usual = null } = useQuery({ ...usuallyFilledQuery(archive), enabled: editable });

  const valuesNow = () => fieldValues(archive, form.getValues());
  const put = (place: string, held: Held, note?: FieldNote) => {
    const at = (fields: readonly { readonly name: string }[], kind: string) =>
      fields.findIndex(({ name }) => place === `${kind}.${name}`);
    const change = { shouldValidate: true, shouldDirty: true };
    if (isList(held)) {
      const keyword = at(archive.keywordFieldDefinitions, 'keywordFields');
      if (keyword >= 0) form.setValue(`keywords.${keyword}.values`, [...held], change);
    } else {
      const field = at(archive.indexFieldDefinitions, 'indexFields');
      if (field >= 0) form.setValue(`fields.${field}.text`, held, change);
    }
    setNotes((before) => {
      const after = new Map(before);
      if (note) after.set(place, note);
      else after.delete(place);
      return after;
    });
  };

  const worked = useEffectEvent((saved: boolean, edited: ReadonlySet<string>) => {
    const values = asSaved(archive, valuesNow());
    (saved ? inputAssist.corrected : inputAssist.lookedAt)({ revisionId, values });
    inputAssist.changePins(options.queue, (before) =>
      nextStickyValues(archive, before, { revisionId, values, edited, saved }),
    );
  });
  const leave = useEffectEvent(() => worked(false, editedPlaces(options.edits())));
  useEffect(() => () => leave(), []);

  /** Puts a text into a field as it is meant there; asks where it can be meant in several ways. */
  const take = (place: string, marked: string) => {
    const field = indexFieldAt(archive, place);
    if (!field) {
      const text = marked.replaceAll(/\s+/g, ' ').trim();
      const now = valuesNow().get(place);
      if (text !== '' && isList(now) && !now.includes(text)) put(place, [...now, text]);
      return;
    }
    const written = marked.replaceAll(/\s+/g, ' ').trim();
    if (written === '') return notify('There is no text in what you marked.');
    const taken = takeInto(field, marked, inputAssist.habits(), isOneLine(field));
    if (taken.kind === 'ask') return setQuestion({ place, written, meanings: taken.meanings });
    setQuestion(null);
    if (taken.kind === 'unreadable') {
      if (isBoolean(field)) return notify(`“${written}” is neither yes nor no.`);
      return put(place, taken.text, { kind: 'unread', held: taken.text, written });
    }
    put(place, taken.text, { kind: 'taken', held: taken.text, written, others: taken.others });
  };
  const taken = useEffectEvent((text: string) => {
    const place = here ?? placesOf(archive)[0];
    if (!editable || place === undefined) return notify('This form cannot be changed now.');
    if (here === null) notify('Put the cursor into a field first; it was put into the first one.');
    take(place, text);
    goTo(place);
  });
  useEffect(() => inputAssist.onText((text) => taken(text)), [inputAssist]);

  const inField = (act: (place: string) => void) => {
    if (!editable) return;
    if (here === null) notify('Put the cursor into a field first.');
    else act(here);
  };
  const revert = (place: string) => {
    const stored = storedFieldValue(archive, revision, place);
    if (stored === undefined) return;
    put(place, stored);
    inputAssist.changePins(options.queue, (before) => settleAt(before, revisionId, [place]));
  };
  const putStored: PutStored = (values, from) => {
    const now = valuesNow();
    let first: string | undefined;
    for (const place of placesOf(archive)) {
      const value = values.get(place);
      if (value === undefined) continue;
      const field = indexFieldAt(archive, place);
      const held = typeof value === 'object' && value !== null ? value : valueText(value, field);
      if (isSameFieldValue(held, now.get(place))) continue;
      put(place, held, { kind: 'restored', held, from });
      first ??= place;
    }
    if (first === undefined) return notify('The form holds these values already.');
    goTo(first);
    notify('The old values are in the form. Look at them, then save.');
  };
  const pin = (place: string) =>
    inputAssist.changePins(options.queue, (before) => {
      const after = new Map(before);
      const value = valuesNow().get(place) ?? null;
      if (!after.delete(place)) {
        after.set(place, { value, from: revisionId, settled: new Set([revisionId]) });
      }
      return after;
    });

  /** takes another meaning of the text that was taken */
  const reread = (place: string, meant: Meant) => {
    const note = notes.get(place);
    if (note?.kind !== 'taken') return;
    inputAssist.learn(meant.habits);
    put(place, meant.text, { kind: 'taken', held: meant.text, written: note.written, others: [] });
    goTo(place);
  };
  const latest = useRef({ pin, revert, reread });
  useEffect(() => {
    latest.current = { pin, revert, reread };
  });
  const [acts] = useState((): FieldActs => ({
    pin: (place) => latest.current.pin(place),
    revert: (place) => latest.current.revert(place),
    reread: (place, meant) => latest.current.reread(place, meant),
  }));

  return {
    pins,
    notes,
    /** what one does at a field; always the same functions */
    acts,
    question,
    /** what ditto would put into a field; undefined where there is nothing or the same stands there */
    dittoAt: (place: string) => {
      const previous = inputAssist.previous(revisionId);
      const value = previous?.values.get(place);
      if (!previous || value === undefined || isSameFieldValue(value, valuesNow().get(place))) {
        return undefined;
      }
      const field = indexFieldAt(archive, place);
      const shown =
        field && !isList(value) ? formatFieldValue(field, value) : fieldValueText(value);
      return { value, shown: shown ?? '', from: previous.revisionId };
    },
    ditto: () =>
      inField((place) => {
        const previous = inputAssist.previous(revisionId);
        const value = previous?.values.get(place);
        if (!previous || value === undefined) {
          notify('No revision was corrected before this one, so there is nothing to copy.');
        } else if (!isSameFieldValue(value, valuesNow().get(place))) {
          put(place, value, { kind: 'copied', held: value, from: previous.revisionId });
        }
      }),
    putStored,
    /** takes out of this field what a key or the history has put into it; false: nothing of that */
    unputHere: () => {
      if (here === null || !editable || placeOf(document.activeElement) !== here) return false;
      const note = notes.get(here);
      // What is carried on came with the form, not by the last key.
      if (!note || note.kind === 'carried' || !isSameFieldValue(note.held, valuesNow().get(here))) {
        return false;
      }
      if (!editedPlaces(options.edits()).has(here)) return false;
      revert(here);
      return true;
    },
    pinHere: () => inField(pin),
    revertHere: () => inField(revert),
    /** all carried values stay away from this revision */
    revertedAll: () => {
      setNotes(new Map());
      inputAssist.changePins(options.queue, (before) =>
        settleAt(before, revisionId, before.keys()),
      );
    },
    jump: (by: 1 | -1) => {
      const values = valuesNow();
      const all = openPlaces(archive, revision, values, options.refused);
      const urgent = urgentPlaces(archive, all, values);
      const worthwhile = worthwhilePlaces(all, urgent, usual);
      // Those that are seldom used have their turn when nothing else is left, and the key is pressed again.
      const left = worthwhile.length === 0 && onlySeldom.current === revisionId;
      const open = left ? all : worthwhile;
      const places = placesOf(archive);
      // Whoever goes on by the key goes through all of them; from elsewhere the urgent come first.
      const order = [...urgent, ...open.filter((place) => !urgent.includes(place))];
      const at = here !== null && jumped.current.to === here ? order.indexOf(here) : -1;
      const steps = at < 0 ? 0 : jumped.current.steps + by;
      if (at >= 0 && order.length > 1 && Math.abs(steps) === order.length) {
        jumped.current = { to: here, steps: 0 };
        return notify('No other field is empty or wrong. Press the key again to start over.');
      }
      const next =
        at >= 0 && order.length > 1
          ? (order.at((at + by) % order.length) ?? null)
          : (nextOpen(places, urgent, here, by) ?? nextOpen(places, open, here, by));
      jumped.current = { to: next, steps };
      if (next !== null) goTo(next);
      else if (here !== null && open.includes(here)) notify('Only this field is empty or wrong.');
      else if (all.length > 0) {
        onlySeldom.current = revisionId;
        notify('Only seldom used fields are empty. Press the key again to go to them.');
      } else notify('No field is empty or wrong.');
    },
    isOpen: () => {
      const values = valuesNow();
      const open = openPlaces(archive, revision, values, options.refused);
      return worthwhilePlaces(open, urgentPlaces(archive, open, values), usual).length > 0;
    },
    saved: (edits: Edits) => worked(true, editedPlaces(edits)),
    /** settles what a text is meant as; null: not put in at all */
    answer: (meant: Meant | null) => {
      if (!question) return;
      const { place, written, meanings } = question;
      setQuestion(null);
      if (meant) {
        inputAssist.learn(meant.habits);
        const others = meanings.filter(({ value }) => value !== meant.value);
        put(place, meant.text, { kind: 'taken', held: meant.text, written, others });
      }
      goTo(place);
    },
  };
}

export type FormInputAssist = ReturnType<typeof useInputAssist>;
