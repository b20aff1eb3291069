import { ActionIcon, Button, NativeSelect, Popover, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Where } from '#web/api/list-view.ts';
import { CloseIcon, FilterIcon, PlusIcon } from '../icons.tsx';
import {
  asksForValue,
  type Draft,
  type ListField,
  problemWith,
  type Question,
  questionsFor,
  toDraft,
  toWhere,
} from './conditions.ts';
import classes from './list-tools.module.css';

interface FilterButtonProps {
  readonly fields: readonly ListField[];
  readonly where: readonly Where[];
  readonly onChange: (where: readonly Where[]) => void;
}

/** Filters a list by conditions that must all hold; each takes effect as soon as it can be read. */
export function FilterButton({ fields, where, onChange }: FilterButtonProps) {
  const [drafts, setDrafts] = useState<readonly Draft[]>(() => where.map(toDraft));
  const now = JSON.stringify(where);
  const [seen, setSeen] = useState(now);
  const [asked, setAsked] = useState(now);
  // The address may have been changed from elsewhere, by the browser's Back.
  if (now !== seen) {
    setSeen(now);
    if (now !== asked) {
      setAsked(now);
      setDrafts(where.map(toDraft));
    }
  }

  const fieldOf = (name: string) =>
    fields.find((field) => field.name.toLowerCase() === name.toLowerCase());
  const change = (next: readonly Draft[]) => {
    setDrafts(next);
    const conditions = next.flatMap((draft) => {
      const field = fieldOf(draft.field);
      return (field && toWhere(draft, field)) ?? [];
    });
    const written = JSON.stringify(conditions);
    if (written === asked) return;
    setAsked(written);
    onChange(conditions);
  };
  const add = () => {
    const [field] = fields;
    if (!field) return;
    const id = Math.max(-1, ...drafts.map((draft) => draft.id)) + 1;
    setDrafts([...drafts, { id, field: field.name, question: firstQuestion(field), value: '' }]);
  };
  const replace = (draft: Draft) =>
    change(drafts.map((old) => (old.id === draft.id ? draft : old)));

  return (
    <Popover position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant={where.length > 0 ? 'light' : 'subtle'}
          color={where.length > 0 ? 'accent' : 'gray'}
          leftSection={<FilterIcon size={14} />}
          onClick={() => {
            if (drafts.length === 0) add();
          }}
        >
          Filter{where.length > 0 && ` (${where.length})`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.panel} aria-label="Filter">
        {drafts.length === 0 && <p className={classes.hint}>No condition: all rows are shown.</p>}
        {drafts.map((draft, i) => (
          <Condition
            key={draft.id}
            draft={draft}
            number={i + 1}
            fields={fields}
            field={fieldOf(draft.field)}
            onChange={replace}
            onRemove={() => change(drafts.filter((old) => old.id !== draft.id))}
          />
        ))}
        <div className={classes.foot}>
          <Button variant="subtle" color="gray" leftSection={<PlusIcon size={14} />} onClick={add}>
            Add a condition
          </Button>
          {where.length > 0 && (
            <Button variant="subtle" color="gray" onClick={() => change([])}>
              Remove all
            </Button>
          )}
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

interface ConditionProps {
  readonly draft: Draft;
  readonly number: number;
  readonly fields: readonly ListField[];
  readonly field: ListField | undefined;
  readonly onChange: (draft: Draft) => void;
  readonly onRemove: () => void;
}

function Condition({ draft, number, fields, field, onChange, onRemove }: ConditionProps) {
  const chooseField = (name: string) => {
    const chosen = fields.find((field) => field.name === name);
    if (!chosen) return;
    const sameKind = field && chosen.type === field.type && !chosen.options && !field.options;
    onChange(
      sameKind
        ? { ...draft, field: name }
        : { ...draft, field: name, question: firstQuestion(chosen), value: '' },
    );
  };
  const questions = field ? questionsFor(field) : [];
  const chooseQuestion = (value: string) => {
    const question = questions.find(([known]) => known === value)?.[0];
    if (question) onChange({ ...draft, question });
  };
  return (
    <div className={classes.condition}>
      <NativeSelect
        aria-label={`Field of condition ${number}`}
        className={classes.field ?? ''}
        data={fields.map(({ name, label }) => ({ value: name, label }))}
        value={field?.name ?? ''}
        onChange={(event) => chooseField(event.currentTarget.value)}
      />
      <NativeSelect
        aria-label={`Comparison of condition ${number}`}
        className={classes.question ?? ''}
        data={questions.map(([value, label]) => ({ value, label }))}
        value={draft.question}
        onChange={(event) => chooseQuestion(event.currentTarget.value)}
      />
      <div className={classes.value}>
        {field && asksForValue(draft.question) && (
          <ConditionValue
            draft={draft}
            field={field}
            label={`Value of condition ${number}`}
            onChange={(value) => onChange({ ...draft, value })}
          />
        )}
      </div>
      <ActionIcon aria-label={`Remove condition ${number}`} onClick={onRemove}>
        <CloseIcon size={14} />
      </ActionIcon>
    </div>
  );
}

interface ConditionValueProps {
  readonly draft: Draft;
  readonly field: ListField;
  readonly label: string;
  readonly onChange: (value: string) => void;
}

const HINTS: Partial<Record<ListField['type'], string>> = {
  date: 'YYYY-MM-DD',
  datetime: 'YYYY-MM-DDTHH:mm:ss+hh:mm',
};

function ConditionValue({ draft, field, label, onChange }: ConditionValueProps) {
  const choices =
    field.type === 'boolean'
      ? [
          { value: 'true', label: 'Yes' },
          { value: 'false', label: 'No' },
        ]
      : draft.question === 'eq' || draft.question === 'ne'
        ? field.options?.flatMap((option) =>
            option === null ? [] : [{ value: String(option), label: String(option) }],
          )
        : undefined;
  if (choices) {
    return (
      <NativeSelect
        aria-label={label}
        data={[{ value: '', label: 'Choose…' }, ...choices]}
        value={draft.value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      aria-label={label}
      autoComplete="off"
      placeholder={draft.question === 'in' ? 'Values with commas between' : HINTS[field.type]}
      error={problemWith(draft, field)}
      value={draft.value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function firstQuestion(field: ListField): Question {
  return questionsFor(field)[0]?.[0] ?? 'eq';
}
