import * as texts from '#messages/audit.ts';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { AUDIT_KINDS } from '#shared/contract/audit.ts';
import { useCollections } from '#web/api/collections.queries.ts';
import { collectionOptionValue, collectionOptions } from '#web/api/named-collections.ts';
import { peopleQuery } from '#web/api/display-names.queries.ts';
import { Button } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { optionsOf, Select } from '#web/ui/inputs/select.tsx';
import { TextInput } from '#web/ui/inputs/text-input.tsx';
import { useCommittedInput } from '#web/ui/use-committed-input.ts';
import type { AuditSearch, AuditFilterName } from './audit-address.ts';
import classes from './audit.module.css';

interface AuditFiltersProps {
  readonly filter: AuditSearch;
  /** replaces filters; undefined removes one */
  readonly onChange: (change: Partial<Record<AuditFilterName, string | undefined>>) => void;
}

/** The filters of the audit: each takes effect as soon as it is chosen, texts on Enter or when they lose the focus. */
export function AuditFilters({ filter, onChange }: AuditFiltersProps) {
  const people = useQuery(peopleQuery);
  const set = (name: AuditFilterName) => (value: string | undefined) => onChange({ [name]: value });
  const options = [...(people.data ?? [])].map(([value, label]) => ({ value, label }));
  const element = useRef<HTMLElement>(null);
  const clear = () => {
    // The pressed button is removed.
    element.current?.querySelector('input')?.focus();
    onChange(Object.fromEntries(Object.keys(filter).map((name) => [name, undefined])));
  };
  return (
    <search ref={element} className={classes.filters} aria-label={texts.filters}>
      <TextFilter label={texts.from} type="date" value={filter.from} onCommit={set('from')} />
      <TextFilter label={texts.to} type="date" value={filter.to} onCommit={set('to')} />
      <Field label={texts.user}>
        {(tied) => (
          <Select
            {...tied}
            options={options}
            placeholder={texts.anyone}
            value={filter.user ?? null}
            onChange={set('user')}
            onClear={() => set('user')(undefined)}
          />
        )}
      </Field>
      <Field label={texts.kind}>
        {(tied) => (
          <Select
            {...tied}
            options={optionsOf(AUDIT_KINDS, texts.kinds)}
            placeholder={texts.anyKind}
            value={AUDIT_KINDS.find((kind) => kind === filter.kind) ?? null}
            onChange={set('kind')}
            onClear={() => set('kind')(undefined)}
          />
        )}
      </Field>
      <CollectionFilter filter={filter} onChange={onChange} />
      <TextFilter
        label={texts.field}
        placeholder={texts.fieldHint}
        value={filter.field}
        onCommit={set('field')}
      />
      <TextFilter
        label={texts.value}
        placeholder={texts.valueHint}
        value={filter.value}
        onCommit={set('value')}
      />
      {Object.keys(filter).length > 0 && (
        <Button variant="subtle" color="gray" className={classes.clear} onClick={clear}>
          {texts.clear}
        </Button>
      )}
    </search>
  );
}

function CollectionFilter({ filter, onChange }: AuditFiltersProps) {
  const options = collectionOptions(useCollections().data ?? []);
  const { archive, table } = filter;
  const value =
    archive === undefined
      ? table && collectionOptionValue({ kind: 'table', id: table })
      : collectionOptionValue({ kind: 'archive', id: archive });
  return (
    <Field label={texts.collection}>
      {(tied) => (
        <Select
          {...tied}
          options={options}
          placeholder={texts.anywhere}
          value={value ?? null}
          onChange={(chosen) => {
            const [kind, key] = chosen.split(' ');
            onChange({
              archive: kind === 'archive' ? key : undefined,
              table: kind === 'table' ? key : undefined,
            });
          }}
          onClear={() => onChange({ archive: undefined, table: undefined })}
        />
      )}
    </Field>
  );
}

interface TextFilterProps {
  readonly label: string;
  readonly type?: 'date';
  readonly placeholder?: string;
  readonly value: string | undefined;
  readonly onCommit: (value: string | undefined) => void;
}

function TextFilter({ label, type, placeholder, value = '', onCommit }: TextFilterProps) {
  const [text, setText] = useState(value);
  const commit = useCommittedInput(
    value,
    (next) => onCommit(next === '' ? undefined : next),
    setText,
  );
  return (
    <Field label={label}>
      {(tied) => (
        <TextInput
          {...tied}
          type={type ?? 'text'}
          placeholder={placeholder}
          value={text}
          onChange={(event) => {
            const typed = event.currentTarget.value;
            setText(typed);
            // A year is typed digit by digit.
            if (type === 'date' && (typed === '' || typed >= '1000')) commit(typed);
          }}
          onBlur={() => commit(text.trim())}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit(text.trim());
          }}
        />
      )}
    </Field>
  );
}
