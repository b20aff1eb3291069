import * as texts from '#messages/index-form.ts';
import { notify } from '#web/ui/notify.ts';
import { useLatest } from '#web/ui/use-latest.ts';
import { isSameValue, toFieldValue } from '#web/fields/field-model.ts';
import type { FieldSuggestion } from '#web/findings/finding.ts';
import type { RestoreValues } from '#web/fields/history/entry.tsx';
import { fieldPathOf } from './form-focus.ts';
import { storedFieldValue } from './form-values.ts';
import type { CarriedOverValues } from './carried-over-values.ts';
import type { PossibleMeaning } from './inserted-text.ts';
import { copyFromPrevious } from './copy-from-previous.ts';
import { type CarryOverOptions, useCarryOver } from './use-carry-over.ts';
import { useFieldContents } from './use-field-contents.ts';
import type { FormFocus } from './use-form-focus.ts';
import { useInsertedText } from './use-inserted-text.ts';
import { useOpenFields } from './use-open-fields.ts';

/** The actions at one field, by its path. */
export interface FieldActions {
  /** carries its value over to the next forms, or stops that */
  readonly toggleCarryOver: (path: string) => void;
  /** restores the stored value */
  readonly restore: (path: string) => void;
  /** applies a check's suggestion to the form; `check` is its label */
  readonly suggest: (path: string, suggestion: FieldSuggestion, check: string) => void;
  /** parses the text from the document with another meaning */
  readonly readAs: (path: string, meaning: PossibleMeaning) => void;
}

interface InputAssistOptions extends CarryOverOptions {
  /** the carried over values that were inserted when the form was opened */
  readonly carriedOverValues: CarriedOverValues;
  readonly focus: FormFocus;
}

/** Shortcuts that save typing in the form of one revision: copied, carried over and inserted values, jumps to open fields. */
export function useInputAssist(options: InputAssistOptions) {
  const { state, inputAssist, focus } = options;
  const { fields, form, isEditable } = state;
  const { revision } = state.base;
  const { current, goTo } = focus;
  const carryOver = useCarryOver(options);
  const contents = useFieldContents(fields, form, options.carriedOverValues);
  const { notes, fieldOf, valueOf } = contents;
  const inserted = useInsertedText({ inputAssist, contents, state, focus });
  const { jump, hasOpen } = useOpenFields(state, focus);
  const previous = copyFromPrevious(revision.revisionId, inputAssist, contents);

  /** Runs an action in the current field. */
  const inField = (act: (path: string) => void) => {
    if (!isEditable) return;
    if (current === null) notify(texts.putCursorFirst);
    else act(current);
  };

  const actions: FieldActions = {
    toggleCarryOver: (path) => carryOver.toggle(path, valueOf(path)),
    restore: (path) => {
      const field = fieldOf(path);
      if (!field) return;
      contents.set(path, storedFieldValue(revision, field));
      carryOver.exclude(path);
    },
    suggest: (path, { values }, check) => {
      const paths = values.map(([at]) => at);
      for (const [at, value] of values)
        contents.set(at, value, { kind: 'suggested', value, check, paths });
      goTo(path);
    },
    readAs: inserted.readAs,
  };
  // The same object in each render, so that fields are rendered only for their own changes.
  const latestActions = useLatest(actions);

  /** Puts stored values into the form. */
  const restoreValues: RestoreValues = (values, from) => {
    let first: string | undefined;
    for (const { path, definition } of fields) {
      const stored = values.get(path);
      if (stored === undefined) continue;
      const value = toFieldValue(definition, stored);
      if (isSameValue(value, valueOf(path))) continue;
      contents.set(path, value, { kind: 'restored', value, from });
      first ??= path;
    }
    if (first === undefined) return notify(texts.holdsValues);
    goTo(first);
    notify(texts.oldValuesInForm);
  };

  return {
    carriedOver: carryOver.carriedOver,
    notes,
    actions: latestActions,
    question: inserted.question,
    answer: inserted.answer,
    jump,
    hasOpen,
    restoreValues,
    previousValueAt: previous.valueAt,
    copyPrevious: () => inField(previous.insert),
    /** Restores the current field if a key or the history has put its content there; false: nothing to restore. */
    restoreInserted: () => {
      if (current === null || !isEditable || fieldPathOf(document.activeElement) !== current) {
        return false;
      }
      const note = notes.get(current);
      // A carried over value came with the form, not from the last key.
      if (!note || note.kind === 'carriedOver' || !isSameValue(note.value, valueOf(current))) {
        return false;
      }
      if (!state.edits().has(current)) return false;
      for (const path of note.kind === 'suggested' ? note.paths : [current]) actions.restore(path);
      return true;
    },
    toggleCarryOverCurrent: () => inField(actions.toggleCarryOver),
    restoreCurrent: () => inField(actions.restore),
    /** no more values are carried over into this revision */
    restoredAll: () => {
      contents.clearNotes();
      carryOver.excludeAll();
    },
    saved: carryOver.saved,
  };
}

export type FormInputAssist = ReturnType<typeof useInputAssist>;
