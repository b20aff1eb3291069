import * as texts from '#messages/load-data.ts';
import type { AnalysedColumn, ColumnOverrides } from '#shared/contract/file-analysis.ts';
import type { ImportColumn } from '#shared/contract/imports.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import { ImportColumnSelect } from '#web/fields/import-column-select.tsx';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { ColumnRemarks } from './column-remarks.tsx';
import classes from './load-data.module.css';

interface ExistingColumnsProps {
  readonly target: BulkTarget;
  readonly columns: readonly AnalysedColumn[];
  /** by column */
  readonly mappings: readonly ImportColumn[];
  readonly onMap: (at: number, mapping: ImportColumn) => void;
  readonly onChange: (at: number, change: ColumnOverrides) => void;
}

/** The mapping of the file's columns to fields of an existing archive or table. */
export function ExistingColumns(props: ExistingColumnsProps) {
  const { target, columns, mappings, onMap, onChange } = props;
  return (
    <PlainTable isStacked className={classes.columns} headings={[texts.columnOfFile, texts.goesTo]}>
      {columns.map((column, at) => {
        const header = column.header === '' ? texts.unnamed(at + 1) : column.header;
        return (
          <tr key={`${at} ${column.header}`}>
            <td data-label={texts.columnOfFile}>
              <span className={classes.header}>{header}</span>
              <ColumnRemarks
                column={{ ...column, options: null, foundOptions: null, misfits: null }}
                onChange={(change) => onChange(at, change)}
              />
            </td>
            <td data-label={texts.goesTo}>
              <ImportColumnSelect
                aria-label={texts.goesToOf(header)}
                target={target}
                mapping={mappings[at] ?? { as: 'nothing' }}
                nothingLabel={texts.notLoaded}
                onMap={(mapping) => onMap(at, mapping)}
              />
            </td>
          </tr>
        );
      })}
    </PlainTable>
  );
}
