import * as texts from '#messages/index-form.ts';
import { isBoolean } from '#shared/values/registry.ts';
import { useEffect, useEffectEvent, useState } from 'react';
import { editorKindOf } from '#web/fields/field-model.ts';
import { isList } from '#web/fields/value-checks.ts';
import { notify } from '#web/ui/notify.ts';
import type { InputAssist } from './input-assist.ts';
import { type PossibleMeaning, parseInsertedText } from './inserted-text.ts';
import type { FieldContents } from './use-field-contents.ts';
import type { FormFocus } from './use-form-focus.ts';
import type { RevisionFormState } from './use-revision-form.ts';

/** An ambiguous text from the document. */
export interface MeaningQuestion {
  readonly path: string;
  readonly written: string;
  readonly meanings: readonly PossibleMeaning[];
}

interface InsertedTextOptions {
  readonly inputAssist: InputAssist;
  readonly contents: FieldContents;
  readonly state: Pick<RevisionFormState, 'fields' | 'isEditable'>;
  /** the field that has or last had the focus receives the texts */
  readonly focus: Pick<FormFocus, 'current' | 'goTo'>;
}

/** Puts texts from the document into a field; asks for the meaning of an ambiguous one. */
export function useInsertedText(options: InsertedTextOptions) {
  const { inputAssist, contents, state, focus } = options;
  const { current, goTo } = focus;
  const [question, setQuestion] = useState<MeaningQuestion | null>(null);

  const insertMeaning = (
    path: string,
    meaning: PossibleMeaning,
    written: string,
    others: readonly PossibleMeaning[],
  ) => {
    inputAssist.learnNotation(meaning.notation);
    contents.set(path, meaning.text, { kind: 'taken', value: meaning.text, written, others });
  };
  const insert = (path: string, marked: string) => {
    const written = marked.replaceAll(/\s+/g, ' ').trim();
    const field = contents.fieldOf(path)?.definition;
    if (!field) {
      const keywords = contents.valueOf(path);
      const adds = written !== '' && isList(keywords) && !keywords.includes(written);
      if (adds) contents.set(path, [...keywords, written]);
      return;
    }
    if (written === '') return notify(texts.noTextMarked);
    const isOneLine = editorKindOf(field, null) !== 'lines';
    const taken = parseInsertedText(field, marked, inputAssist.notation(), isOneLine);
    if (taken.kind === 'ask') return setQuestion({ path, written, meanings: taken.meanings });
    setQuestion(null);
    const { text: value } = taken;
    if (taken.kind === 'text') {
      return contents.set(path, value, { kind: 'taken', value, written, others: taken.others });
    }
    if (isBoolean(field)) return notify(texts.neitherYesNorNo(written));
    contents.set(path, value, { kind: 'unread', value, written });
  };
  const receive = useEffectEvent((text: string) => {
    const path = current ?? state.fields[0]?.path;
    if (!state.isEditable || path === undefined) return notify(texts.notChangeable);
    if (current === null) notify(texts.putIntoFirst);
    insert(path, text);
    goTo(path);
  });
  useEffect(() => inputAssist.onInsertText((text) => receive(text)), [inputAssist]);

  return {
    question,
    /** answers the question about the meaning of a text; null: it is not inserted */
    answer: (meaning: PossibleMeaning | null) => {
      if (!question) return;
      const { path, written, meanings } = question;
      setQuestion(null);
      const others = meanings.filter(({ value }) => value !== meaning?.value);
      if (meaning) insertMeaning(path, meaning, written, others);
      goTo(path);
    },
    /** gives the inserted text of a field another meaning */
    readAs: (path: string, meaning: PossibleMeaning) => {
      const note = contents.notes.get(path);
      if (note?.kind !== 'taken') return;
      insertMeaning(path, meaning, note.written, []);
      goTo(path);
    },
  };
}
