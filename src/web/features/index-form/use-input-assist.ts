import * as texts from '#messages/index-form.ts';
import { isBoolean } from '#shared/values/registry.ts';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import type { ArchiveDetail, RevisionDetail } from '#shared/contract/answers.ts';
import { isList, type StoredContent } from '#web/fields/value-checks.ts';
import type { ArchiveField } from '#web/fields/index-data.ts';
import { notify } from '#web/ui/notify.ts';
import { useLatest } from '#web/ui/use-latest.ts';
import {
  editorKindOf,
  type FieldValue,
  formatFieldValue,
  isSameValue,
  toFieldValue,
} from '#web/fields/field-model.ts';
import type { FieldSuggestion } from '#web/findings/finding.ts';
import { fieldPathOf } from './form-focus.ts';
import {
  asSaved,
  byPath,
  type FormEdits,
  type FormValues,
  inputName,
  SERVICE_ERROR,
  storedFieldValue,
} from './form-values.ts';
import { type InputAssist, useCarriedOverValues } from './input-assist.ts';
import { nextOpen, openPaths, blockingPaths } from './open-fields.ts';
import {
  nextCarriedOverValues,
  excludeRevision,
  type CarriedOverValues,
} from './carried-over-values.ts';
import { type PossibleMeaning, parseInsertedText } from './inserted-text.ts';

/** The origin of a field's content; valid until the content changes. */
export type FieldNote = { readonly value: FieldValue } & (
  | { readonly kind: 'carriedOver' | 'copied' | 'restored'; readonly from: string }
  | {
      readonly kind: 'taken';
      readonly written: string;
      readonly others: readonly PossibleMeaning[];
    }
  | { readonly kind: 'unread'; readonly written: string }
  /** `check`: its label; `paths`: the fields that the suggestion filled */
  | { readonly kind: 'suggested'; readonly check: string; readonly paths: readonly string[] }
);

/**
 * Puts stored values into the form as edits, by the paths of its fields. @param from the time of the values, in words
 */
export type PutStored = (values: ReadonlyMap<string, StoredContent>, from: string) => void;

/** An ambiguous text from the document. */
export interface MeaningQuestion {
  readonly path: string;
  readonly written: string;
  readonly meanings: readonly PossibleMeaning[];
}

/** The actions at one field, by its path. */
export interface FieldActions {
  /** carries its value over to the next forms, or stops that */
  readonly toggleCarryOver: (path: string) => void;
  /** restores the stored value */
  readonly restore: (path: string) => void;
  /** applies a check's suggestion to the form; `check` is its label */
  readonly suggest: (path: string, suggestion: FieldSuggestion, check: string) => void;
  /** parses the text from the document with another meaning */
  readonly readAs: (path: string, meant: PossibleMeaning) => void;
}

interface InputAssistOptions {
  readonly archive: ArchiveDetail;
  readonly fields: readonly ArchiveField[];
  readonly inputAssist: InputAssist;
  /** the queue that the form belongs to; null: the list */
  readonly queue: string | null;
  readonly form: UseFormReturn<FormValues>;
  /** the version that is being edited */
  readonly revision: RevisionDetail;
  readonly edits: () => FormEdits;
  /** the carried over values that were inserted when the form was opened */
  readonly carriedOverValues: CarriedOverValues;
  /** the field that has or last had the focus */
  readonly current: string | null;
  /** whether the fields can be changed now */
  readonly isEditable: boolean;
  readonly goTo: (path: string) => void;
}

/** Shortcuts that save typing in the form of one revision: copied, carried over and inserted values, jumps to open fields. */
export function useInputAssist(options: InputAssistOptions) {
  const {
    archive,
    fields,
    inputAssist,
    form,
    revision,
    carriedOverValues,
    current,
    isEditable,
    goTo,
  } = options;
  const { revisionId } = revision;
  const carriedOver = useCarriedOverValues(inputAssist, options.queue);
  const [notes, setNotes] = useState<ReadonlyMap<string, FieldNote>>(
    () =>
      new Map(
        [...carriedOverValues].map(([path, entry]) => [path, { kind: 'carriedOver', ...entry }]),
      ),
  );
  const [question, setQuestion] = useState<MeaningQuestion | null>(null);
  // The target of the last jump, and its number of steps from the start.
  const jumped = useRef<{ to: string | null; steps: number }>({ to: null, steps: 0 });

  const changeCarriedOver = (change: (values: CarriedOverValues) => CarriedOverValues) =>
    inputAssist.changeCarriedOver(options.queue, change);
  const fieldOf = (path: string) => fields.find((field) => field.path === path);
  const valueAt = (path: string): FieldValue => byPath(fields, form.getValues()).get(path) ?? null;
  const setField = (path: string, value: FieldValue, note?: FieldNote) => {
    const at = fields.findIndex((field) => field.path === path);
    if (at < 0) return;
    form.setValue(inputName(at), value, { shouldValidate: true, shouldDirty: true });
    setNotes((before) => {
      const after = new Map(before);
      if (note) after.set(path, note);
      else after.delete(path);
      return after;
    });
  };
  /** Runs an action in the current field. */
  const inField = (act: (path: string) => void) => {
    if (!isEditable) return;
    if (current === null) notify(texts.putCursorFirst);
    else act(current);
  };

  /** Stores the state of the form when it is left or saved, for the next ones. */
  const storeFormState = useEffectEvent((saved: boolean, edited: ReadonlySet<string>) => {
    const values = asSaved(fields, form.getValues());
    (saved ? inputAssist.addCorrected : inputAssist.addViewed)({ revisionId, values });
    changeCarriedOver((before) =>
      nextCarriedOverValues(archive, before, { revisionId, values, edited, saved }),
    );
  });
  const leave = useEffectEvent(() => storeFormState(false, new Set(options.edits().keys())));
  useEffect(() => () => leave(), []);

  const insertMeaning = (
    path: string,
    meant: PossibleMeaning,
    written: string,
    others: readonly PossibleMeaning[],
  ) => {
    inputAssist.learnNotation(meant.notation);
    setField(path, meant.text, { kind: 'taken', value: meant.text, written, others });
  };
  /** Puts a text from the document into a field; asks if it is ambiguous. */
  const insertPageText = (path: string, marked: string) => {
    const written = marked.replaceAll(/\s+/g, ' ').trim();
    const field = fieldOf(path)?.definition;
    if (!field) {
      const keywords = valueAt(path);
      const adds = written !== '' && isList(keywords) && !keywords.includes(written);
      if (adds) setField(path, [...keywords, written]);
      return;
    }
    if (written === '') return notify(texts.noTextMarked);
    const taken = parseInsertedText(
      field,
      marked,
      inputAssist.notation(),
      editorKindOf(field, null) !== 'lines',
    );
    if (taken.kind === 'ask') return setQuestion({ path, written, meanings: taken.meanings });
    setQuestion(null);
    const { text: value } = taken;
    if (taken.kind === 'text') {
      return setField(path, value, { kind: 'taken', value, written, others: taken.others });
    }
    if (isBoolean(field)) return notify(texts.neitherYesNorNo(written));
    setField(path, value, { kind: 'unread', value, written });
  };
  const takeText = useEffectEvent((text: string) => {
    const path = current ?? fields[0]?.path;
    if (!isEditable || path === undefined) return notify(texts.notChangeable);
    if (current === null) notify(texts.putIntoFirst);
    insertPageText(path, text);
    goTo(path);
  });
  useEffect(() => inputAssist.onInsertText((text) => takeText(text)), [inputAssist]);

  const actions: FieldActions = {
    toggleCarryOver: (path) =>
      changeCarriedOver((before) => {
        const after = new Map(before);
        if (!after.delete(path)) {
          const value = valueAt(path);
          after.set(path, { value, from: revisionId, excludedRevisions: new Set([revisionId]) });
        }
        return after;
      }),
    restore: (path) => {
      const field = fieldOf(path);
      if (!field) return;
      setField(path, storedFieldValue(revision, field));
      changeCarriedOver((before) => excludeRevision(before, revisionId, [path]));
    },
    suggest: (path, { values }, check) => {
      const paths = values.map(([at]) => at);
      for (const [at, value] of values)
        setField(at, value, { kind: 'suggested', value, check, paths });
      goTo(path);
    },
    readAs: (path, meant) => {
      const note = notes.get(path);
      if (note?.kind !== 'taken') return;
      insertMeaning(path, meant, note.written, []);
      goTo(path);
    },
  };
  // Stable functions, so that fields are rendered only for their own changes.
  const latest = useLatest(actions);
  const [stableActions] = useState((): FieldActions => ({
    toggleCarryOver: (path) => latest.current.toggleCarryOver(path),
    restore: (path) => latest.current.restore(path),
    suggest: (...args) => latest.current.suggest(...args),
    readAs: (path, meant) => latest.current.readAs(path, meant),
  }));

  /** The fields that are empty or invalid, and those of them that prevent saving. */
  const openFields = () => {
    const values = byPath(fields, form.getValues());
    const refused = fields.filter(
      (_, at) => form.getFieldState(inputName(at)).error?.type === SERVICE_ERROR,
    );
    const paths = new Set(refused.map(({ path }) => path));
    const open = openPaths(fields, revision, values, paths);
    return { open, urgent: blockingPaths(fields, open, values) };
  };
  const previousValue = (path: string) => {
    const previous = inputAssist.previous(revisionId);
    const value = previous?.values.get(path);
    return previous && value !== undefined ? { value, from: previous.revisionId } : undefined;
  };

  return {
    carriedOver,
    notes,
    actions: stableActions,
    question,
    /** the value that ditto would insert; undefined if there is none, or the field already has it */
    dittoAt: (path: string) => {
      const previous = previousValue(path);
      if (!previous || isSameValue(previous.value, valueAt(path))) return undefined;
      const { value, from } = previous;
      const shown = formatFieldValue(fieldOf(path)?.definition ?? null, value) ?? '';
      return { value, shown, from };
    },
    ditto: () =>
      inField((path) => {
        const previous = previousValue(path);
        if (!previous) {
          notify(texts.nothingToCopy);
        } else if (!isSameValue(previous.value, valueAt(path))) {
          setField(path, previous.value, { kind: 'copied', ...previous });
        }
      }),
    putStored: ((values, from) => {
      let first: string | undefined;
      for (const field of fields) {
        const { path } = field;
        const stored = values.get(path);
        if (stored === undefined) continue;
        const value = toFieldValue(field.definition, stored);
        if (isSameValue(value, valueAt(path))) continue;
        setField(path, value, { kind: 'restored', value, from });
        first ??= path;
      }
      if (first === undefined) return notify(texts.holdsValues);
      goTo(first);
      notify(texts.oldValuesInForm);
    }) satisfies PutStored,
    /** Restores the current field if a key or the history has put its content there; false: nothing to restore. */
    restoreInserted: () => {
      if (current === null || !isEditable || fieldPathOf(document.activeElement) !== current) {
        return false;
      }
      const note = notes.get(current);
      // A carried over value came with the form, not from the last key.
      if (!note || note.kind === 'carriedOver' || !isSameValue(note.value, valueAt(current))) {
        return false;
      }
      if (!options.edits().has(current)) return false;
      for (const path of note.kind === 'suggested' ? note.paths : [current]) actions.restore(path);
      return true;
    },
    toggleCarryOverCurrent: () => inField(actions.toggleCarryOver),
    restoreCurrent: () => inField(actions.restore),
    /** no more values are carried over into this revision */
    restoredAll: () => {
      setNotes(new Map());
      changeCarriedOver((before) => excludeRevision(before, revisionId, before.keys()));
    },
    /** Moves to the next open field: first to the urgent ones, then through all of them in turn. */
    jump: (by: 1 | -1) => {
      const { open, urgent } = openFields();
      const paths = fields.map(({ path }) => path);
      const order = [...urgent, ...open.filter((path) => !urgent.includes(path))];
      const at = current !== null && jumped.current.to === current ? order.indexOf(current) : -1;
      const steps = at < 0 ? 0 : jumped.current.steps + by;
      const continues = at >= 0 && order.length > 1;
      if (continues && Math.abs(steps) === order.length) {
        jumped.current = { to: current, steps: 0 };
        return notify(texts.noOtherOpen);
      }
      const next = continues
        ? (order.at((at + by) % order.length) ?? null)
        : (nextOpen(paths, urgent, current, by) ?? nextOpen(paths, open, current, by));
      jumped.current = { to: next, steps };
      if (next !== null) goTo(next);
      else if (open.length > 0) notify(texts.onlyThisOpen);
      else notify(texts.noneOpen);
    },
    hasOpen: () => openFields().open.length > 0,
    saved: (edits: FormEdits) => storeFormState(true, new Set(edits.keys())),
    /** answers the question about the meaning of a text; null: it is not inserted */
    answer: (meant: PossibleMeaning | null) => {
      if (!question) return;
      const { path, written, meanings } = question;
      setQuestion(null);
      const others = meanings.filter(({ value }) => value !== meant?.value);
      if (meant) insertMeaning(path, meant, written, others);
      goTo(path);
    },
  };
}

export type FormInputAssist = ReturnType<typeof useInputAssist>;
