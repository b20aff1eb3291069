import { Select } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import classes from './choose-fields.module.css';
import { DraftRow } from './draft-row.tsx';
import { allDrafts, type Draft, draftKey } from './drafts.ts';
import type { BulkEditState } from './use-bulk-edit.ts';

/** The fields that are to be corrected, each once, and the way to add another. */
export function ChooseFields({ state }: { readonly state: BulkEditState }) {
  const { archive, drafts, setDrafts } = state;
  const [search, setSearch] = useState('');
  const [added, setAdded] = useState<string | null>(null);
  const adder = useRef<HTMLInputElement>(null);
  // Also when the clerk comes back here after a correction, where no dialog opens.
  useEffect(() => adder.current?.focus(), []);
  const taken = new Set(drafts.map(draftKey));
  const left = allDrafts(archive).filter((draft) => !taken.has(draftKey(draft)));
  const options = (kind: Draft['kind']) =>
    left
      .filter((draft) => draft.kind === kind)
      .map((draft) => ({ value: draftKey(draft), label: draft.field.label }));
  const groups = [
    { group: 'Index fields', items: options('field') },
    { group: 'Keyword fields', items: options('keywords') },
  ].filter(({ items }) => items.length > 0);

  const add = (key: string | null) => {
    const draft = left.find((candidate) => draftKey(candidate) === key);
    if (!draft) return;
    setSearch('');
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
        <Select
          ref={adder}
          data-autofocus
          label={drafts.length === 0 ? 'Which field is to be corrected?' : 'Another field'}
          placeholder="Choose a field"
          data={groups}
          value={null}
          searchValue={search}
          onSearchChange={setSearch}
          onChange={add}
          searchable
          selectFirstOptionOnChange
          nothingFoundMessage="No such field"
          maxDropdownHeight={320}
        />
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
