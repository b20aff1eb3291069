import * as texts from '#messages/imports.ts';
import { type Control, Controller } from 'react-hook-form';
import type { ImportInspection } from '#shared/contract/imports.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { ColumnRow } from './column-row.tsx';
import classes from './import-dialog.module.css';
import type { ImportValues } from './import-values.ts';

interface ColumnMappingProps {
  readonly control: Control<ImportValues>;
  readonly target: BulkTarget;
  readonly found: ImportInspection;
  /** why the mapping of the column at a position is refused */
  readonly errorsOf: (at: number) => readonly string[];
  /** a column was mapped differently: its cells must be analysed again */
  readonly onMapped: () => void;
}

/** The columns of the file and their mappings. */
export function ColumnMapping({ control, target, found, errorsOf, onMapped }: ColumnMappingProps) {
  return (
    <PlainTable
      frameClass={classes.scroller}
      className={classes.columns}
      headings={[texts.column, texts.firstValues, texts.detectedType, texts.mapsTo]}
    >
      {found.columns.map((column, at) => (
        <Controller
          // Columns have no other key: headers may be empty or repeated.
          key={`${at} ${column.header}`}
          control={control}
          name={`columns.${at}`}
          render={({ field: { value, onChange } }) => (
            <ColumnRow
              target={target}
              found={column}
              mapping={value}
              errors={errorsOf(at)}
              onMap={(next) => {
                onChange(next);
                onMapped();
              }}
              onAnswer={onChange}
            />
          )}
        />
      ))}
    </PlainTable>
  );
}
