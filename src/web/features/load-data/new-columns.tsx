import * as texts from '#messages/load-data.ts';
import { MAX_NAME_LENGTH } from '#shared/rules/names.ts';
import { useId } from 'react';
import type { ColumnOverrides } from '#shared/contract/file-analysis.ts';
import { hasRule, VALUE_TYPES, valueType } from '#shared/values/registry.ts';
import { Checkbox } from '#web/ui/inputs/checkbox.tsx';
import { NativeSelect } from '#web/ui/inputs/native-select.tsx';
import { TextInput } from '#web/ui/inputs/text-input.tsx';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { ColumnRemarks } from './column-remarks.tsx';
import type { TargetKind, WantedColumn } from './draft.ts';
import classes from './load-data.module.css';

const TYPES = VALUE_TYPES.map((value) => ({ value, label: valueType(value).words }));

interface NewColumnsProps {
  readonly kind: Exclude<TargetKind, 'existing'>;
  readonly columns: readonly WantedColumn[];
  /** why a name is refused, by the position of its column */
  readonly problems: ReadonlyMap<number, string>;
  readonly onInclude: (at: number, isIncluded: boolean) => void;
  readonly onChange: (at: number, change: ColumnOverrides) => void;
}

/** The fields to create from the columns of the file. */
export function NewColumns(props: NewColumnsProps) {
  const { kind, columns, problems, onInclude, onChange } = props;
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
        ...(kind === 'table' ? [texts.unique] : []),
      ]}
    >
      {columns.map((column, at) => (
        <NewColumn
          key={`${at} ${column.header}`}
          kind={kind}
          column={column}
          problem={problems.get(at)}
          header={column.header === '' ? texts.unnamed(at + 1) : column.header}
          onInclude={(isIncluded) => onInclude(at, isIncluded)}
          onChange={(change) => onChange(at, change)}
        />
      ))}
    </PlainTable>
  );
}

interface NewColumnProps {
  readonly kind: NewColumnsProps['kind'];
  readonly column: WantedColumn;
  readonly problem: string | undefined;
  readonly header: string;
  readonly onInclude: (isIncluded: boolean) => void;
  readonly onChange: (change: ColumnOverrides) => void;
}

function NewColumn(props: NewColumnProps) {
  const { kind, column, problem, header, onInclude, onChange } = props;
  const problemId = useId();
  const { isIncluded, label, name, type, maxLength, required, unique } = column;
  const nameOf = (what: string) => texts.of({ what, column: header });
  return (
    <tr data-left-out={!isIncluded || undefined}>
      <td data-label={texts.included}>
        <Checkbox
          aria-label={texts.isIncluded(header)}
          checked={isIncluded}
          onChange={(event) => onInclude(event.currentTarget.checked)}
        />
      </td>
      <td data-label={texts.columnOfFile}>
        <span className={classes.header}>{header}</span>
        {isIncluded && <ColumnRemarks column={column} onChange={onChange} />}
      </td>
      <td data-label={texts.fieldLabel}>
        <TextInput
          aria-label={nameOf(texts.fieldLabel)}
          disabled={!isIncluded}
          value={label}
          maxLength={200}
          onChange={(event) => onChange({ label: event.currentTarget.value })}
        />
      </td>
      <td data-label={texts.fieldName}>
        <TextInput
          aria-label={nameOf(texts.fieldName)}
          disabled={!isIncluded}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : problemId}
          value={name}
          maxLength={MAX_NAME_LENGTH}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
        />
        {problem !== undefined && (
          <p id={problemId} className={classes.problem}>
            {problem}
          </p>
        )}
      </td>
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
            key={maxLength}
            aria-label={nameOf(texts.length)}
            disabled={!isIncluded}
            inputMode="numeric"
            defaultValue={maxLength ?? ''}
            onBlur={(event) => {
              const length = lengthOf(event.currentTarget.value);
              if (length !== maxLength) onChange({ maxLength: length });
            }}
          />
        )}
      </td>
      <td data-label={texts.required}>
        <Checkbox
          aria-label={nameOf(texts.required)}
          disabled={!isIncluded}
          checked={required}
          onChange={(event) => onChange({ required: event.currentTarget.checked })}
        />
      </td>
      {kind === 'table' && (
        <td data-label={texts.unique}>
          <Checkbox
            aria-label={nameOf(texts.unique)}
            disabled={!isIncluded}
            checked={unique}
            onChange={(event) => onChange({ unique: event.currentTarget.checked })}
          />
        </td>
      )}
    </tr>
  );
}

/** null: no specific limit */
function lengthOf(text: string): number | null {
  return /^[1-9][0-9]{0,5}$/.test(text.trim()) ? Number(text) : null;
}
