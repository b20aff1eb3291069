import * as texts from '#messages/imports.ts';
import { useId } from 'react';
import { userLocale } from '#shared/messages/format.ts';
import type { ImportColumn, ImportInspection } from '#shared/contract/imports.ts';
import { notationOf } from '#shared/values/readings.ts';
import { type ValueType, valueType } from '#shared/values/registry.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import { ImportColumnSelect } from '#web/fields/import-column-select.tsx';
import { ValueTypeIcon } from '#web/fields/value-type-icon.tsx';
import { Field } from '#web/ui/field.tsx';
import { optionsOf, Select } from '#web/ui/inputs/select.tsx';
import shared from '#web/ui/shared.module.css';
import classes from './import-dialog.module.css';

interface ColumnRowProps {
  readonly target: BulkTarget;
  readonly found: ImportInspection['columns'][number];
  readonly mapping: ImportColumn;
  /** why the mapping is refused */
  readonly errors: readonly string[];
  readonly onMap: (mapping: ImportColumn) => void;
  /** the meaning of the ambiguous cells of the column */
  readonly onAnswer: (mapping: ImportColumn) => void;
}

const ORDERS = optionsOf(['dmy', 'mdy', 'ymd'], texts.dateOrders);
const MARKS = optionsOf([',', '.'], texts.decimalMarks);

/** A column of the file: its content, its detected type, and its mapping. */
export function ColumnRow({ target, found, mapping, errors, onMap, onAnswer }: ColumnRowProps) {
  // Until another mapping is read, the cells are known as those of the former one.
  const { question, misfits } =
    fieldOf(found.column) === fieldOf(mapping) ? found : { question: null, misfits: null };
  const errorId = useId();
  const field =
    mapping.as === 'field' ? target.fields.find(({ name }) => name === mapping.field) : undefined;
  return (
    <tr>
      <td className={classes.header}>{found.header || <em>{texts.noHeader}</em>}</td>
      <td className={classes.examples}>{found.examples.join(' · ')}</td>
      <td className={classes.type}>
        {found.looksLike ? <TypeName type={found.looksLike} /> : texts.noValues}
      </td>
      <td>
        <ImportColumnSelect
          aria-label={texts.mappingOf(found.header)}
          aria-invalid={errors.length > 0}
          aria-describedby={errors.length > 0 ? errorId : undefined}
          target={target}
          mapping={mapping}
          nothingLabel={texts.notImported}
          identifiesRecords
          onMap={onMap}
        />
        {errors.length > 0 && (
          <p id={errorId} className={shared.wrong} role="alert">
            {errors.join(' ')}
          </p>
        )}
        {field && (
          <p className={classes.type} data-problem={misfits ? true : undefined}>
            <TypeName type={field.type} />
            {misfits && `; ${texts.misfits({ ...misfits, type: valueType(field.type).words })}`}
          </p>
        )}
        {question && mapping.as === 'field' && (
          <div className={classes.question}>
            <Field
              label={texts.question(question.example)}
              description={descriptionOf(question.about)}
            >
              {(controlProps) =>
                question.about === 'order' ? (
                  <Select
                    {...controlProps}
                    aria-invalid={mapping.order === null}
                    placeholder={texts.chooseAnswer}
                    options={ORDERS}
                    value={mapping.order}
                    onChange={(order) => onAnswer({ ...mapping, order })}
                  />
                ) : (
                  <Select
                    {...controlProps}
                    aria-invalid={mapping.decimal === null}
                    placeholder={texts.chooseAnswer}
                    options={MARKS}
                    value={mapping.decimal}
                    onChange={(decimal) => onAnswer({ ...mapping, decimal })}
                  />
                )
              }
            </Field>
          </div>
        )}
      </td>
    </tr>
  );
}

/** The field that a column is mapped to; null: none. */
function fieldOf(column: ImportColumn): string | null {
  return column.as === 'field' ? column.field : null;
}

function TypeName({ type }: { readonly type: ValueType }) {
  return (
    <>
      <ValueTypeIcon type={type} /> {valueType(type).words}
    </>
  );
}

/** The notation that is usual in the user's own language. */
function descriptionOf(about: 'decimal' | 'order'): string | undefined {
  const { decimal, order } = notationOf(userLocale());
  const usual =
    about === 'order'
      ? ORDERS.find(({ value }) => value === order)
      : MARKS.find(({ value }) => value === decimal);
  return usual && texts.usual(usual.label);
}
