import * as texts from '#messages/load-data.ts';
import type { SheetAnalysis } from '#shared/contract/file-analysis.ts';
import { isNumber } from '#shared/values/registry.ts';
import { shownValue } from '#web/fields/value-text.ts';
import classes from './load-data.module.css';

/** The first rows of a file as parsed; an invalid cell is shown as in the file. */
export function SampleRows({ analysis }: { readonly analysis: SheetAnalysis }) {
  const { columns, records } = analysis;
  return (
    <div
      className={classes.sample}
      // A scrollable area must be reachable by keyboard (WCAG 2.1.1).
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label={texts.firstRows(records.length)}
    >
      <table className={classes.rows}>
        <thead>
          <tr>
            <th scope="col">{texts.line}</th>
            {columns.map(({ header }, at) => (
              // Columns have no other key: headers may be empty or repeated.
              <th key={`${at} ${header}`} scope="col">
                {header === '' ? texts.unnamed(at + 1) : header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
    </div>
  );
}
