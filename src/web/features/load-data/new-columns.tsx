import * as texts from '#messages/load-data.ts';
import { MAX_NAME_LENGTH } from '#shared/rules/names.ts';
import { type Ref, useId, useState } from 'react';
import { type Control, useController } from 'react-hook-form';
import type { AnalysedColumn, ColumnOverrides } from '#shared/contract/file-analysis.ts';
import { hasRule, VALUE_TYPES, valueType } from '#shared/values/registry.ts';
import { Checkbox } from '#web/ui/inputs/checkbox.tsx';
import { NativeSelect } from '#web/ui/inputs/native-select.tsx';
import { TextInput } from '#web/ui/inputs/text-input.tsx';
import { matches } from '#web/ui/shortcuts.ts';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { ColumnRemarks } from './column-remarks.tsx';
import {
  type TargetKind,
  type ResolvedColumn,
  resolveColumn,
  withOverrides,
} from './column-draft.ts';
import type { LoadValues } from './load-form.ts';
import classes from './load-data.module.css';

const TYPES = VALUE_TYPES.map((value) => ({ value, label: valueType(value).words }));

interface NewColumnsProps {
  readonly control: Control<LoadValues>;
  readonly kind: Exclude<TargetKind, 'existing'>;
  readonly columns: readonly AnalysedColumn[];
  readonly onChange: (change: ColumnOverrides) => void;
}

/** The fields to create from the columns of the file. */
export function NewColumns({ columns, ...props }: NewColumnsProps) {
  return (
    <PlainTable
      isStacked
      frameLabel={texts.columns}
      className={classes.columns}
      headings={[
        texts.included,
        texts.columnOfFile,
        texts.fieldLabel,
        texts.fieldName,
        texts.type,
        texts.length,
        texts.required,
        ...(props.kind === 'table' ? [texts.unique] : []),
      ]}
    >
      {columns.map((column, at) => (
        <NewColumn key={`${at} ${column.header}`} {...props} at={at} analysed={column} />
      ))}
    </PlainTable>
  );
}

interface NewColumnProps extends Omit<NewColumnsProps, 'columns'> {
  readonly at: number;
  readonly analysed: AnalysedColumn;
}

function NewColumn({ control, kind, at, analysed, onChange }: NewColumnProps) {
  const { field, fieldState } = useController({ control, name: `columns.${at}` });
  const column = resolveColumn(analysed, field.value, at);
  const { isIncluded, label, required, unique } = column;
  const header = column.header === '' ? texts.unnamed(at + 1) : column.header;
  const nameOf = (what: string) => texts.of({ what, column: header });
  const change = (overrides: ColumnOverrides) => {
    field.onChange(withOverrides(field.value, overrides));
    onChange(overrides);
  };
  const inputs = { column, nameOf, onChange: change };
  return (
    <tr data-left-out={!isIncluded || undefined}>
      <td data-label={texts.included}>
        <Checkbox
          aria-label={texts.isIncluded(header)}
          checked={isIncluded}
          onChange={(event) => {
            field.onChange({ ...field.value, isIncluded: event.currentTarget.checked });
            onChange({});
          }}
        />
      </td>
      <td data-label={texts.columnOfFile}>
        <span className={classes.header}>{header}</span>
        {isIncluded && <ColumnRemarks column={column} onChange={change} />}
      </td>
      <td data-label={texts.fieldLabel}>
        <TextInput
          aria-label={nameOf(texts.fieldLabel)}
          disabled={!isIncluded}
          value={label}
          maxLength={200}
          onChange={(event) => change({ label: event.currentTarget.value })}
        />
      </td>
      <NameCell {...inputs} inputRef={field.ref} problem={fieldState.error?.message} />
      <TypeCells {...inputs} />
      <td data-label={texts.required}>
        <Checkbox
          aria-label={nameOf(texts.required)}
          disabled={!isIncluded}
          checked={required}
          onChange={(event) => change({ required: event.currentTarget.checked })}
        />
      </td>
      {kind === 'table' && (
        <td data-label={texts.unique}>
          <Checkbox
            aria-label={nameOf(texts.unique)}
            disabled={!isIncluded}
            checked={unique}
            onChange={(event) => change({ unique: event.currentTarget.checked })}
          />
        </td>
      )}
    </tr>
  );
}

interface CellProps {
  readonly column: ResolvedColumn;
  /** what an input of the column is called */
  readonly nameOf: (what: string) => string;
  readonly onChange: (change: ColumnOverrides) => void;
}

interface NameCellProps extends CellProps {
  readonly inputRef: Ref<HTMLInputElement>;
  /** why the name is refused */
  readonly problem: string | undefined;
}

function NameCell({ column, nameOf, onChange, inputRef, problem }: NameCellProps) {
  const problemId = useId();
  return (
    <td data-label={texts.fieldName}>
      <TextInput
        ref={inputRef}
        aria-label={nameOf(texts.fieldName)}
        disabled={!column.isIncluded}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : problemId}
        value={column.name}
        maxLength={MAX_NAME_LENGTH}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      {problem !== undefined && (
        <p id={problemId} className={classes.problem}>
          {problem}
        </p>
      )}
    </td>
  );
}

/** The type, and the length where the type has one. */
function TypeCells({ column, nameOf, onChange }: CellProps) {
  const { isIncluded, type, maxLength } = column;
  /** null: nothing is typed that is not part of the column yet */
  const [typed, setTyped] = useState<string | null>(null);
  const commitLength = () => {
    setTyped(null);
    const length = typed === null ? maxLength : lengthOf(typed);
    if (length !== maxLength) onChange({ maxLength: length });
  };
  return (
    <>
      <td data-label={texts.type}>
        <NativeSelect
          aria-label={nameOf(texts.type)}
          disabled={!isIncluded}
          options={TYPES}
          value={type}
          onChange={(next) => onChange({ type: next })}
        />
      </td>
      <td data-label={texts.length} className={classes.short}>
        {hasRule(type, 'maxLength') && (
          <TextInput
            aria-label={nameOf(texts.length)}
            disabled={!isIncluded}
            inputMode="numeric"
            value={typed ?? maxLength ?? ''}
            onChange={(event) => setTyped(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (matches('mod+Enter', event)) commitLength();
            }}
            onBlur={commitLength}
          />
        )}
      </td>
    </>
  );
}

/** null: no specific limit */
function lengthOf(text: string): number | null {
  return /^[1-9][0-9]{0,5}$/.test(text.trim()) ? Number(text) : null;
}
