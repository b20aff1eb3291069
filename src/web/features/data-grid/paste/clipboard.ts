import { restoreFormula } from '#shared/values/csv-formulas.ts';
import { MAX_SCALE } from '#shared/values/decimal.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { localText } from '#web/fields/value-text.ts';
import { readOwnCells } from '../ranges/own-cells.ts';
import type { Clip, ClipCell } from './clip.ts';
import type { ClipboardForms } from '../ranges/clipboard-forms.ts';
import { type HtmlTable, readHtmlTable } from './html-table.ts';
import { readTsv } from './tsv.ts';

/**
 * Reads the copied cells from the most precise format: our own has the values, an HTML table has merged cells and
 * numbers besides the displayed text, plain text is always available.
 * @returns null if the clipboard contains nothing for cells
 */
export function readClipboard({ own, html, text }: ClipboardForms): Clip | null {
  const values = own === '' ? null : readOwnCells(own);
  if (values) {
    return values.map((row) =>
      row.map((value): ClipCell => ({ text: textOf(value), exact: { is: 'own', value } })),
    );
  }
  const table = readHtmlTable(html);
  if (table) return cellsOf(table, text);
  if (text === '') return null;
  // Without the protection against formula execution that a copy has added.
  return readTsv(text).map((row) =>
    row.map((cell): ClipCell => ({ text: restoreFormula(cell), exact: null })),
  );
}

/** In the user's format, for values that stay in a cell that cannot accept them. */
function textOf(value: Scalar): string {
  return typeof value === 'number'
    ? localText({ type: 'decimal', scale: MAX_SCALE }, value)
    : String(value ?? '');
}

/** The cells of a table; spaces and line breaks as in the text, if the table does not preserve its own. */
function cellsOf({ rows, verbatim }: HtmlTable, text: string): Clip {
  const lines = verbatim || text === '' ? [] : readTsv(text);
  const hasSameSize =
    lines.length === rows.length && lines.every((line, r) => line.length === rows[r]?.length);
  return rows.map((cells, r) =>
    cells.map(({ text: shown, exact, covered }, c) => {
      const written = hasSameSize && !covered ? lines[r]?.[c] : undefined;
      return { text: restoreFormula(written ?? shown), exact };
    }),
  );
}
