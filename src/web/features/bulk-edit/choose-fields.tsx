import { useEffect, useRef, useState } from 'react';
import { Field } from '#web/ui/field.tsx';
import { Select } from '#web/ui/inputs/select.tsx';
import classes from './choose-fields.module.css';
import { DraftRow } from './draft-row.tsx';
import { allDrafts, draftKey } from './drafts.ts';
import type { BulkEditState } from './use-bulk-edit.ts';

/** The fields that are to be corrected, each once, and the way to add another. */
export function ChooseFields({ state }: { readonly state: BulkEditState }) {
  const { archive, drafts, setDrafts } = state;
  const [added, setAdded] = useState<string | null>(null);
  const adder = useRef<HTMLInputElement>(null);
  // Also when the clerk comes back here after a correction, where no dialog opens.
  useEffect(() => adder.current?.focus(), []);
  const taken = new Set(drafts.map(draftKey));
  const left = allDrafts(archive).filter((draft) => !taken.has(draftKey(draft)));
  const options = left.map((draft) => ({
    value: draftKey(draft),
    label: draft.field.label,
    group: draft.kind === 'field' ? 'Index fields' : 'Keyword fields',
  }));

  const add = (key: string) => {
    const draft = left.find((candidate) => draftKey(candidate) === key);
    if (!draft) return;
    setAdded(key);
    setDrafts([...drafts, draft]);
  };
  const remove = (key: string) => {
    setDrafts(drafts.filter((draft) => draftKey(draft) !== key));
    adder.current?.focus();
  };

  return (
    <div className={classes.fields}>
      {drafts.map((draft) => (
        <DraftRow
          key={draftKey(draft)}
          archive={archive}
          draft={draft}
          takesFocus={draftKey(draft) === added}
          onChange={(next) =>
            setDrafts(drafts.map((other) => (draftKey(other) === draftKey(draft) ? next : other)))
          }
          onRemove={() => remove(draftKey(draft))}
        />
      ))}
      {left.length > 0 && (
        <Field label={drafts.length === 0 ? 'Which field is to be corrected?' : 'Another field'}>
          {(tied) => (
            <Select
              {...tied}
              ref={adder}
              data-autofocus
              opensOnFocus
              placeholder="Choose a field"
              options={options}
              value={null}
              onChange={add}
            />
          )}
        </Field>
      )}
      {drafts.length === 0 && (
        <p className={classes.hint}>
          Every selected revision gets the value you give here. You see old and new value of each
          one before anything is sent.
        </p>
      )}
    </div>
  );
}
