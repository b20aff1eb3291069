import { valueType } from '#shared/values/registry.ts';
import { useEffect, useRef } from 'react';
import { Checkbox, Select, TextInput } from '@mantine/core';
import type { ArchiveDetail } from '#shared/contract/answers.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Field } from '#web/ui/field.tsx';
import { ValueEditor } from '#web/fields/value-editor.tsx';
import { CloseIcon } from '#web/ui/icons.tsx';
import { ValueTypeIcon } from '#web/fields/value-type-icon.tsx';
import classes from './rule-editor.module.css';
import { CAPITALS, type RuleDraft, ruleOf, WAY_LABELS, waysFor } from './rules.ts';

interface RuleRowProps {
  readonly archive: ArchiveDetail;
  readonly draft: RuleDraft;
  /** what is still to be said is shown only once the clerk has asked to go on */
  readonly complains: boolean;
  readonly onChange: (draft: RuleDraft) => void;
  readonly onRemove: () => void;
}

/** One rule: the field, what is done with it, and what that needs to know. */
export function RuleRow({ archive, draft, complains, onChange, onRemove }: RuleRowProps) {
  const { field, way } = draft;
  const said = ruleOf(draft);
  const change = (changes: Partial<RuleDraft>) => onChange({ ...draft, ...changes });
  const ways = useRef<HTMLInputElement>(null);
  useEffect(() => ways.current?.focus(), []);
  return (
    <div className={classes.rule} role="group" aria-label={field.label}>
      <div className={classes.ruleHead}>
        <span className={classes.ruleField}>
          <ValueTypeIcon type={field.type} size={14} />
          {field.label}
        </span>
        <IconButton size={24} aria-label={`Leave ${field.label} as it is`} onClick={onRemove}>
          <CloseIcon size={14} />
        </IconButton>
      </div>
      <Select
        ref={ways}
        aria-label={`What is done with ${field.label}`}
        data={waysFor(field).map((value) => ({ value, label: WAY_LABELS[value] }))}
        value={way}
        allowDeselect={false}
        // All of them are seen at once.
        maxDropdownHeight={360}
        onChange={(next) => {
          const chosen = waysFor(field).find((candidate) => candidate === next);
          if (chosen) change({ way: chosen });
        }}
      />
      <Operands archive={archive} draft={draft} onChange={change} />
      {!said.ok && complains && (
        <p className={classes.complaint} role="alert">
          {said.message}
        </p>
      )}
    </div>
  );
}

interface OperandsProps {
  readonly archive: ArchiveDetail;
  readonly draft: RuleDraft;
  readonly onChange: (changes: Partial<RuleDraft>) => void;
}

function Operands({ archive, draft, onChange }: OperandsProps) {
  const { field } = draft;
  switch (draft.way) {
    case 'set':
      return (
        <Field label="Value">
          {(control) => (
            <ValueEditor
              rules={field}
              control={control}
              value={draft.value}
              onChange={(value) => onChange({ value })}
            />
          )}
        </Field>
      );
    case 'prepend':
    case 'append':
      return (
        <TextInput
          label="Text"
          description="Spaces count."
          value={draft.text}
          onChange={(event) => onChange({ text: event.currentTarget.value })}
        />
      );
    case 'replace':
    case 'replacePattern':
      return <Replacing draft={draft} onChange={onChange} />;
    case 'case':
      return (
        <Select
          aria-label="Case"
          data={Object.entries(CAPITALS).map(([value, label]) => ({ value, label }))}
          value={draft.capitals}
          allowDeselect={false}
          onChange={(next) => {
            const capitals = CHOICES.find((candidate) => candidate === next);
            if (capitals) onChange({ capitals });
          }}
        />
      );
    case 'copy':
    case 'parse':
      return <FromField archive={archive} draft={draft} onChange={onChange} />;
    case 'clear':
    case 'trim':
      return null;
    default:
      return draft.way satisfies never;
  }
}

const CHOICES = ['upper', 'lower', 'title', 'sentence'] as const;

function Replacing({ draft, onChange }: Omit<OperandsProps, 'archive'>) {
  const pattern = draft.way === 'replacePattern';
  return (
    <>
      <TextInput
        label={pattern ? 'Pattern' : 'Find'}
        description={
          pattern ? 'A regular expression (RE2). Parts in brackets are $1, $2 … below.' : undefined
        }
        value={draft.find}
        onChange={(event) => onChange({ find: event.currentTarget.value })}
        {...(pattern ? { classNames: { input: classes.pattern ?? '' } } : {})}
      />
      <TextInput
        label="Replace with"
        placeholder="nothing"
        value={draft.to}
        onChange={(event) => onChange({ to: event.currentTarget.value })}
      />
      <Checkbox
        label="Match case"
        checked={draft.matchCase}
        onChange={(event) => onChange({ matchCase: event.currentTarget.checked })}
      />
    </>
  );
}

const DATE_ORDERS = [
  { value: 'dmy', label: 'day, month, year' },
  { value: 'mdy', label: 'month, day, year' },
  { value: 'ymd', label: 'year, month, day' },
] as const;
const MARKS = [
  { value: ',', label: 'comma: 1.234,50' },
  { value: '.', label: 'point: 1,234.50' },
] as const;

function FromField({ archive, draft, onChange }: OperandsProps) {
  const { field } = draft;
  const others = archive.indexFieldDefinitions.filter(({ name }) => name !== field.name);
  const { habit } = valueType(field.type);
  return (
    <>
      <Select
        label={draft.way === 'copy' ? 'Copy from' : 'Read from'}
        placeholder="Choose a field"
        data={others.map(({ name, label }) => ({ value: name, label }))}
        value={draft.from}
        searchable
        onChange={(from) => onChange({ from })}
      />
      {draft.way === 'parse' && habit === 'decimal' && (
        <Select
          label="Before decimal places stands the"
          placeholder="either, where it is clear"
          data={[...MARKS]}
          value={draft.decimal}
          clearable
          onChange={(next) =>
            onChange({ decimal: MARKS.find(({ value }) => value === next)?.value ?? null })
          }
        />
      )}
      {draft.way === 'parse' && habit === 'order' && (
        <Select
          label="Dates are written as"
          placeholder="either, where it is clear"
          data={[...DATE_ORDERS]}
          value={draft.order}
          clearable
          onChange={(next) =>
            onChange({ order: DATE_ORDERS.find(({ value }) => value === next)?.value ?? null })
          }
        />
      )}
    </>
  );
}
