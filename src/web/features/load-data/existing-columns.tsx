import * as texts from '#messages/load-data.ts';
import { useId } from 'react';
import { type Control, useController } from 'react-hook-form';
import type { AnalysedColumn, ColumnOverrides } from '#shared/contract/file-analysis.ts';
import type { ImportColumn } from '#shared/contract/imports.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import { ImportColumnSelect } from '#web/fields/import-column-select.tsx';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { ColumnRemarks } from './column-remarks.tsx';
import { withOverrides } from './column-draft.ts';
import type { LoadValues } from './load-form.ts';
import classes from './load-data.module.css';

interface ExistingColumnsProps {
  readonly control: Control<LoadValues>;
  readonly target: BulkTarget;
  readonly columns: readonly AnalysedColumn[];
  /** by column: the mapping of those without an own one */
  readonly mappings: readonly ImportColumn[];
  readonly onChange: (change: ColumnOverrides) => void;
}

/** The mapping of the file's columns to fields of an existing archive or table. */
export function ExistingColumns({ columns, mappings, ...props }: ExistingColumnsProps) {
  return (
    <PlainTable isStacked className={classes.columns} headings={[texts.columnOfFile, texts.goesTo]}>
      {columns.map((column, at) => (
        <ExistingColumn
          key={`${at} ${column.header}`}
          {...props}
          at={at}
          column={column}
          proposed={mappings[at] ?? { as: 'nothing' }}
        />
      ))}
    </PlainTable>
  );
}

interface ExistingColumnProps extends Pick<
  ExistingColumnsProps,
  'control' | 'target' | 'onChange'
> {
  readonly at: number;
  readonly column: AnalysedColumn;
  readonly proposed: ImportColumn;
}

function ExistingColumn({ control, target, at, column, proposed, onChange }: ExistingColumnProps) {
  const { field, fieldState } = useController({ control, name: `columns.${at}` });
  const problem = fieldState.error?.message;
  const problemId = useId();
  const header = column.header === '' ? texts.unnamed(at + 1) : column.header;
  return (
    <tr>
      <td data-label={texts.columnOfFile}>
        <span className={classes.header}>{header}</span>
        <ColumnRemarks
          column={{ ...column, options: null, foundOptions: null, misfits: null }}
          onChange={(change) => {
            field.onChange(withOverrides(field.value, change));
            onChange(change);
          }}
        />
      </td>
      <td data-label={texts.goesTo}>
        <ImportColumnSelect
          inputRef={field.ref}
          aria-label={texts.goesToOf(header)}
          aria-invalid={problem !== undefined}
          aria-describedby={problem === undefined ? undefined : problemId}
          target={target}
          mapping={field.value.mapping ?? proposed}
          nothingLabel={texts.notLoaded}
          onMap={(mapping) => {
            field.onChange({ ...field.value, mapping });
            onChange({});
          }}
        />
        {problem !== undefined && (
          <p id={problemId} className={classes.problem}>
            {problem}
          </p>
        )}
      </td>
    </tr>
  );
}
