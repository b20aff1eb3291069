import * as texts from '#messages/load-data.ts';
import type { AnalysedColumn, ColumnOverrides } from '#shared/contract/file-analysis.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import { Select } from '#web/ui/inputs/select.tsx';
import { ColumnRemarks } from './column-remarks.tsx';
import classes from './load-data.module.css';

interface ExistingColumnsProps {
  readonly target: BulkTarget;
  readonly columns: readonly AnalysedColumn[];
  /** by column: `field NAME`, `keyword NAME`, or '' if it is not loaded */
  readonly goals: readonly string[];
  readonly onGoal: (at: number, goal: string) => void;
  readonly onChange: (at: number, change: ColumnOverrides) => void;
}

/** The mapping of the file's columns to fields of an existing archive or table. */
export function ExistingColumns(props: ExistingColumnsProps) {
  const { target, columns, goals, onGoal, onChange } = props;
  const fieldGroup = target.collection.kind === 'archive' ? texts.indexFields : texts.tableColumns;
  const options = [
    { value: '', label: texts.notLoaded },
    ...target.fields.map(({ name, label }) => ({
      value: `field ${name}`,
      label,
      group: fieldGroup,
    })),
    ...target.keywordFields.map(({ name, label }) => ({
      value: `keyword ${name}`,
      label,
      group: texts.keywordFields,
    })),
  ];
  return (
    <table className={classes.columns}>
      <thead>
        <tr>
          <th scope="col">{texts.columnOfFile}</th>
          <th scope="col">{texts.goesTo}</th>
        </tr>
      </thead>
      <tbody>
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
                <Select
                  aria-label={texts.goesToOf(header)}
                  options={options}
                  value={goals[at] ?? ''}
                  onChange={(goal) => onGoal(at, goal)}
                />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
