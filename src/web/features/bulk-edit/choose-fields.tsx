import * as texts from '#messages/bulk-correction.ts';
import * as commonTexts from '#messages/common.ts';
import { useEffect, useRef, useState } from 'react';
import { useFieldArray } from 'react-hook-form';
import { fieldAt, fieldsOf } from '#web/fields/index-data.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/inputs/select.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './choose-fields.module.css';
import { DraftRow } from './draft-row.tsx';
import { newDraft } from './change-drafts.ts';
import type { BulkEditState } from './use-bulk-edit.ts';

/** The fields to correct, each once, and the control to add another. */
export function ChooseFields({ state }: { readonly state: BulkEditState }) {
  const { archive, form } = state;
  const rows = useFieldArray({ control: form.control, name: 'changes' });
  const [added, setAdded] = useState<string | null>(null);
  const fieldSelect = useRef<HTMLInputElement>(null);
  // Needed when the user returns here after a correction, when no dialog opens.
  useEffect(() => fieldSelect.current?.focus(), []);
  const taken = new Set(rows.fields.map(({ path }) => path));
  const left = fieldsOf(archive).filter(({ path, isReadOnly }) => !isReadOnly && !taken.has(path));
  const options = left.map(({ path, label, definition }) => ({
    value: path,
    label,
    group: definition ? commonTexts.indexFields : texts.keywordFields,
  }));

  const add = (path: string) => {
    const field = left.find((one) => one.path === path);
    if (!field) return;
    setAdded(path);
    rows.append(newDraft(field), { shouldFocus: false });
  };
  const remove = (at: number) => {
    rows.remove(at);
    fieldSelect.current?.focus();
  };
  if (left.length === 0 && rows.fields.length === 0) {
    return <EmptyState title={texts.noField}>{texts.noFieldHint}</EmptyState>;
  }

  return (
    <div className={classes.fields}>
      {rows.fields.map(({ id, path }, at) => {
        const field = fieldAt(archive, path);
        return (
          field && (
            <DraftRow
              key={id}
              archive={archive}
              field={field}
              form={form}
              at={at}
              takesFocus={path === added}
              onRemove={() => remove(at)}
            />
          )
        );
      })}
      {left.length > 0 && (
        <Field label={rows.fields.length === 0 ? texts.firstField : texts.nextField}>
          {(controlProps) => (
            <Select
              {...controlProps}
              ref={fieldSelect}
              data-autofocus
              opensOnFocus
              placeholder={texts.chooseField}
              options={options}
              value={null}
              onChange={add}
            />
          )}
        </Field>
      )}
      {rows.fields.length === 0 && <p className={shared.muted}>{texts.explanation}</p>}
    </div>
  );
}
