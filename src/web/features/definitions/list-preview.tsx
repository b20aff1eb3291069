import { type Control, useWatch } from 'react-hook-form';
import * as texts from '#messages/designer.ts';
import { isNumber, type ValueType } from '#shared/values/registry.ts';
import { ValueTypeIcon } from '#web/fields/value-type-icon.tsx';
import { shownValue } from '#web/fields/value-text.ts';
import { SortDownIcon, SortUpIcon } from '#web/ui/icons.tsx';
import shared from '#web/ui/shared.module.css';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { type DefinitionValues, type DesignedField, rulesOf } from './definition-form.ts';
import classes from './definitions.module.css';

/** The default columns of the list, with an example of each type. */
export function ListPreview({ control }: { readonly control: Control<DefinitionValues> }) {
  const fields = useWatch({ control, name: 'fields' });
  const columns = fields.filter(
    ({ retiredAt, isKeywordField, isHiddenInLists }) =>
      retiredAt === null && !isKeywordField && !isHiddenInLists,
  );
  return (
    <section className={classes.preview} aria-label={texts.listPreview}>
      <h2 className={shared.quietHeading}>{texts.listPreview}</h2>
      {columns.length === 0 ? (
        <p className={shared.note}>{texts.noColumns}</p>
      ) : (
        <PlainTable
          frameLabel={texts.columns}
          frameClass={classes.listPreview}
          headings={columns.map((field, index) => ({
            key: keyOf(field, index),
            content: (
              <>
                <ValueTypeIcon type={field.type} /> {field.label || field.name}
                <SortMark field={field} />
              </>
            ),
            isNumber: isNumber(field),
          }))}
        >
          <tr>
            {columns.map((field, index) => (
              <td key={keyOf(field, index)} data-number={isNumber(field) || undefined}>
                {exampleOf(field)}
              </td>
            ))}
          </tr>
        </PlainTable>
      )}
    </section>
  );
}

function SortMark({ field: { listSort } }: { readonly field: DesignedField }) {
  if (listSort === '') return null;
  const isAscending = listSort === 'ascending';
  const Icon = isAscending ? SortUpIcon : SortDownIcon;
  return (
    <span title={isAscending ? texts.ascending : texts.descending}>
      {' '}
      <Icon size={13} />
    </span>
  );
}

const keyOf = ({ savedName }: DesignedField, index: number) => savedName ?? String(index);

/** An example value of each type in the form of the interface. */
const EXAMPLES: Readonly<Record<ValueType, string | number | boolean>> = {
  text: texts.exampleText,
  integer: 42,
  decimal: 1234.5,
  boolean: true,
  date: '2026-11-23',
  datetime: '2026-11-23T09:30:00Z',
  time: '09:30',
};

function exampleOf(field: DesignedField): string {
  const rules = rulesOf(field);
  return shownValue(rules, rules.options?.[0] ?? EXAMPLES[field.type]);
}
