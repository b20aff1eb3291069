import type { Column } from '#shared/rules/definitions.ts';
import { writeText } from '#shared/values/readings.ts';
import { neutraliseFormula } from '#shared/values/csv-formulas.ts';
import { isText } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { ClipboardForms } from './clipboard-forms.ts';
import { writeOwnCells } from './own-cells.ts';

/** The content of one cell: a value, or invalid typed text. */
export type ClipboardCell = { readonly value: Scalar } | { readonly typed: string };

/**
 * Formats a block of cells for the clipboard: for other programs as displayed in the user's locale, with text that they
 * would run as a formula made harmless; for Indexdesk itself as exact values.
 * @param locale a BCP 47 tag
 */
export function formatForClipboard(
  columns: readonly Column[],
  rows: readonly (readonly ClipboardCell[])[],
  locale: string,
): ClipboardForms {
  const shown = rows.map((cells) => cells.map((cell, i) => textFor(columns[i], cell, locale)));
  const [only] = shown;
  const single = shown.length === 1 && only?.length === 1 ? only[0] : undefined;
  return {
    // A single value is pasted into a form or a search unchanged, unless a spreadsheet would run it.
    text:
      single === undefined
        ? shown.map((cells) => cells.map((text) => inTsv(text)).join('\t')).join('\r\n')
        : isTelephoneNumber(single)
          ? single
          : harmless(single),
    html: inHtml(columns, rows, shown),
    own: writeOwnCells(
      rows.map((cells) => cells.map((cell) => ('value' in cell ? cell.value : cell.typed))),
    ),
  };
}

function textFor(column: Column | undefined, cell: ClipboardCell, locale: string): string {
  if ('typed' in cell) return cell.typed;
  return column ? writeText(column, cell.value, locale) : '';
}

const QUOTED = /[\t\r\n"]/;

function inTsv(text: string): string {
  const safe = harmless(text);
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Protects against formula execution, except for negative numbers, which are no formulas. */
function harmless(text: string): string {
  return /^-?\d+(?:[.,]\d+)?$/.test(text) ? text : neutraliseFormula(text);
}

/** `+49 (30) 123-45` calls no spreadsheet function. */
function isTelephoneNumber(text: string): boolean {
  return /^\+[\d ()/-]+$/.test(text);
}

function inHtml(
  columns: readonly Column[],
  rows: readonly (readonly ClipboardCell[])[],
  shown: readonly (readonly string[])[],
): string {
  const body = shown.map((cells, row) => {
    const inner = cells.map((text, i) => {
      const content = rows[row]?.[i];
      // With this hint Excel keeps 007 and 1-2 as texts. Invalid typed text may be anything.
      const column = columns[i];
      const isAsTyped = (column && isText(column)) || (content !== undefined && 'typed' in content);
      const style = isAsTyped ? ' style="mso-number-format:\'\\@\'; white-space: pre-wrap"' : '';
      const safe = isAsTyped ? neutraliseFormula(text) : text;
      return `<td${style}>${escaped(safe).replace(/\r\n|\r|\n/g, '<br>')}</td>`;
    });
    return `<tr>${inner.join('')}</tr>`;
  });
  return `<meta charset="utf-8"><table>${body.join('')}</table>`;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
