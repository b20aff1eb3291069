import { Select } from '@mantine/core';
import type { ImportColumn, ImportInspection } from '#shared/contract/imports.ts';
import { habitsOf } from '#shared/values/readings.ts';
import { type ValueType, valueType } from '#shared/values/registry.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import { formatCount } from '#shared/messages/format.ts';
import { ValueTypeIcon } from '#web/fields/value-type-icon.tsx';
import classes from './import-dialog.module.css';

interface ColumnRowProps {
  readonly target: BulkTarget;
  readonly found: ImportInspection['columns'][number];
  readonly chosen: ImportColumn;
  /** `anew`: the file has to be looked through again */
  readonly onChange: (column: ImportColumn, anew: boolean) => void;
}

const ORDERS = [
  { value: 'dmy', label: 'day, month, year' },
  { value: 'mdy', label: 'month, day, year' },
  { value: 'ymd', label: 'year, month, day' },
] as const;
const MARKS = [
  { value: ',', label: 'a decimal comma' },
  { value: '.', label: 'a decimal point' },
] as const;

/** What a column of the file holds, what it looks like, and what it stands for. */
export function ColumnRow({ target, found, chosen, onChange }: ColumnRowProps) {
  const fields = target.fields.map(({ name, label }) => ({
    value: `field ${name}`,
    label,
  }));
  const others = [
    { value: 'nothing', label: 'Not imported' },
    { value: 'id', label: target.words.id },
    { value: 'version', label: 'Version' },
  ];
  const { question } = found;
  const field =
    chosen.as === 'field' ? target.fields.find(({ name }) => name === chosen.field) : undefined;
  return (
    <tr>
      <td className={classes.header}>{found.header || <em>no header</em>}</td>
      <td className={classes.examples}>{found.examples.join(' · ')}</td>
      <td className={classes.type}>
        {found.looksLike ? <TypeInWords type={found.looksLike} /> : 'empty'}
      </td>
      <td>
        <Select
          aria-label={`Mapping of ${found.header}`}
          data={[...others, { group: target.words.fields, items: fields }]}
          value={chosen.as === 'field' ? `field ${chosen.field}` : chosen.as}
          allowDeselect={false}
          searchable
          comboboxProps={{ withinPortal: true }}
          onChange={(value) => {
            const next = columnFor(value);
            if (next) onChange(next, true);
          }}
        />
        {field && (
          <p className={classes.type} data-trouble={found.misfits ? true : undefined}>
            <TypeInWords type={field.type} />
            {found.misfits && `; ${misfitsInWords(found.misfits, field.type)}`}
          </p>
        )}
        {question && chosen.as === 'field' && (
          <Select
            className={classes.question ?? ''}
            label={`How is “${question.example}” meant?`}
            placeholder="Choose"
            data={question.about === 'order' ? [...ORDERS] : [...MARKS]}
            value={chosen[question.about]}
            error={chosen[question.about] === null}
            description={hintOf(question.about)}
            onChange={(value) =>
              onChange(
                {
                  ...chosen,
                  order: ORDERS.find((order) => order.value === value)?.value ?? chosen.order,
                  decimal: MARKS.find((mark) => mark.value === value)?.value ?? chosen.decimal,
                },
                false,
              )
            }
          />
        )}
      </td>
    </tr>
  );
}

function TypeInWords({ type }: { readonly type: ValueType }) {
  return (
    <>
      <ValueTypeIcon type={type} /> {valueType(type).words}
    </>
  );
}

type Misfits = NonNullable<ImportInspection['columns'][number]['misfits']>;

/** What is said where cells do not look like the field that their column stands for. */
function misfitsInWords({ count, example }: Misfits, type: ValueType): string {
  return `${formatCount(count)} ${count === 1 ? 'cell is' : 'cells are'} no ${valueType(type).words}, such as “${example}”`;
}

function columnFor(value: string | null): ImportColumn | null {
  if (value === 'id' || value === 'version' || value === 'nothing') return { as: value };
  const field = value?.startsWith('field ') ? value.slice(6) : null;
  return field === null ? null : { as: 'field', field, decimal: null, order: null };
}

/** What the reader's own way of writing would be. */
function hintOf(about: 'decimal' | 'order'): string | undefined {
  const { decimal, order } = habitsOf(navigator.language);
  const here =
    about === 'order'
      ? ORDERS.find(({ value }) => value === order)?.label
      : MARKS.find(({ value }) => value === decimal)?.label;
  return here && `Usual where you are: ${here}`;
}
