import * as texts from '#messages/load-data.ts';
import type { SheetAnalysis } from '#shared/contract/file-analysis.ts';
import { isNumber } from '#shared/values/registry.ts';
import { shownValue } from '#web/fields/value-text.ts';
import { PlainTable } from '#web/ui/plain-table.tsx';
import classes from './load-data.module.css';

/** The first rows of a file as parsed; an invalid cell is shown as in the file. */
export function SampleRows({ analysis }: { readonly analysis: SheetAnalysis }) {
  const { columns, records } = analysis;
  return (
    <PlainTable
      frameLabel={texts.firstRows(records.length)}
      frameClass={classes.sample}
      className={classes.rows}
      headings={[
        texts.line,
        // Columns have no other key: headers may be empty or repeated.
        ...columns.map((column, at) => ({
          key: `${at} ${column.header}`,
          content: column.header === '' ? texts.unnamed(at + 1) : column.header,
          isNumber: isNumber(column),
        })),
      ]}
    >
      {records.map(({ line, cells, values }) => (
        <tr key={line}>
          <th scope="row">{line}</th>
          {columns.map((column, at) => {
            const [text = '', value = null] = [cells[at], values[at]];
            const isMisfit = value === null && text !== '';
            return (
              <td
                key={`${at} ${column.header}`}
                data-misfit={isMisfit || undefined}
                data-number={isNumber(column) || undefined}
                title={text}
              >
                {isMisfit ? text : shownValue(column, value)}
              </td>
            );
          })}
        </tr>
      ))}
    </PlainTable>
  );
}
