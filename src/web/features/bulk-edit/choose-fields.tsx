import * as texts from '#messages/bulk-correction.ts';
import * as commonTexts from '#messages/common.ts';
import { useEffect, useRef, useState } from 'react';
import { fieldsOf } from '#web/fields/index-data.ts';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/inputs/select.tsx';
import classes from './choose-fields.module.css';
import { DraftRow } from './draft-row.tsx';
import { newDraft } from './change-drafts.ts';
import type { BulkEditState } from './use-bulk-edit.ts';

/** The fields to correct, each once, and the control to add another. */
export function ChooseFields({ state }: { readonly state: BulkEditState }) {
  const { archive, drafts, setDrafts } = state;
  const [added, setAdded] = useState<string | null>(null);
  const adder = useRef<HTMLInputElement>(null);
  // Needed when the user returns here after a correction, when no dialog opens.
  useEffect(() => adder.current?.focus(), []);
  const taken = new Set(drafts.map(({ field }) => field.place));
  const left = fieldsOf(archive).filter(({ place }) => !taken.has(place));
  const options = left.map(({ place, label, definition }) => ({
    value: place,
    label,
    group: definition ? commonTexts.indexFields : texts.keywordFields,
  }));

  const add = (place: string) => {
    const field = left.find((one) => one.place === place);
    if (!field) return;
    setAdded(place);
    setDrafts([...drafts, newDraft(field)]);
  };
  const remove = (place: string) => {
    setDrafts(drafts.filter(({ field }) => field.place !== place));
    adder.current?.focus();
  };

  return (
    <div className={classes.fields}>
      {drafts.map((draft) => (
        <DraftRow
          key={draft.field.place}
          archive={archive}
          draft={draft}
          takesFocus={draft.field.place === added}
          onChange={(next) => setDrafts(drafts.map((other) => (other === draft ? next : other)))}
          onRemove={() => remove(draft.field.place)}
        />
      ))}
      {left.length > 0 && (
        <Field label={drafts.length === 0 ? texts.firstField : texts.nextField}>
          {(tied) => (
            <Select
              {...tied}
              ref={adder}
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
      {drafts.length === 0 && <p className={classes.hint}>{texts.explanation}</p>}
    </div>
  );
}
