import { useQueryClient } from '@tanstack/react-query';
import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { isBoolean } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Fill } from '#web/fields/look-up.ts';
import { parseField } from '#web/fields/field-model.ts';
import { valueText } from '#web/fields/value-text.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import { type CellEdit, type ServerRecord, valueShown } from '../edit-store/edits.ts';
import { autofillTyped } from '../lazy-look-up-autofill.ts';
import { editorEntryOf, fillWrites } from '../fill-writes.ts';
import type { Typed } from '../findings/row-record.ts';
import * as undoTexts from '#messages/table-undo.ts';

interface FieldDraftOptions {
  readonly editStore: EditStore;
  readonly record: ServerRecord;
  readonly column: Column;
  /** all of the table */
  readonly columns: readonly Column[];
  readonly edit: CellEdit | undefined;
  /** receives the text being typed; undefined: none any more */
  readonly onTyping: (column: string, typed: Typed | undefined) => void;
  /** the text being typed into the record, by column */
  readonly latestTyping: RefObject<ReadonlyMap<string, Typed>>;
}

interface Draft {
  readonly text: string | null;
  /** the field's value when the typing began */
  readonly initialValue: Scalar;
}

/**
 * The text being typed into a field of the form; it is written to the store when the field loses the focus, is chosen
 * or confirmed.
 */
export function useFieldDraft(options: FieldDraftOptions) {
  const { editStore, record, column, columns, edit, onTyping, latestTyping } = options;
  const client = useQueryClient();
  const shown = valueShown(edit, record.dataset[column.name] ?? null);
  const settled = fieldValueText(column, edit, shown);
  const draft = useRef<Draft | null>(null);
  const [typed, setTyped] = useState<Draft | null>(null);
  const setDraft = (next: Draft | null) => {
    draft.current = next;
    setTyped(next);
    onTyping(column.name, next ? parseField(column, next.text) : undefined);
  };

  /** @param fills of a dataset that was chosen for the value; missing: it was typed */
  const commit = (fills?: readonly Fill[]) => {
    const ended = draft.current;
    if (!ended) return;
    setDraft(null);
    if (ended.text === settled && !fills?.length) return;
    const { initialValue } = ended;
    const { jrid } = record.dataset;
    const row = { editStore, columns, key: jrid, listed: record };
    const step = editStore.write(
      [
        { key: jrid, column, initialValue, listed: record, ...editorEntryOf(column, ended.text) },
        ...fillWrites(row, fills ?? []),
      ],
      undoTexts.typing,
    );
    if (!step || fills || !column.optionsFrom) return;
    const typed = { ...row, column, step, written: editStore.get(), focusedKey: { current: jrid } };
    // What is typed into this field is known here at once, also where the form is gone.
    const isOpen = (name: string) =>
      name === column.name ? draft.current !== null : latestTyping.current.has(name);
    void autofillTyped({ ...typed, client, isOpen });
  };
  // The form may switch to another record, or be unmounted, while the user types.
  const onGone = useEffectEvent(() => commit());
  useEffect(() => () => onGone(), []);

  return {
    text: typed ? typed.text : settled,
    /** the value without the text being typed */
    shown,
    typing: typed !== null,
    /** whether the value has changed since the typing began */
    isOutdated: typed !== null && typed.initialValue !== shown,
    change: (text: string | null) => {
      setDraft({ text, initialValue: draft.current?.initialValue ?? shown });
      // A choice is final; typing may continue.
      if (column.options || isBoolean(column)) commit();
    },
    commit,
    discard: () => setDraft(null),
  };
}

/** In the form of the interface, as in editors of forms. */
function fieldValueText(column: Column, edit: CellEdit | undefined, shown: Scalar): string | null {
  return edit?.status.is === 'unread' ? edit.text : valueText(shown, column);
}
