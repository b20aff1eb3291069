import { plainNumber } from '#shared/rules/spreadsheets.ts';
import type { ClipCell, ExactValue } from './clip.ts';
import { dayOfSerial, orderOfFormat } from './number-formats.ts';

/** A table of the clipboard. */
export interface HtmlTable {
  readonly rows: readonly (readonly HtmlCell[])[];
  /** whether spaces and line breaks are significant; otherwise they come from the markup */
  readonly verbatim: boolean;
}

interface HtmlCell extends ClipCell {
  /** covered by a merged cell that starts elsewhere */
  readonly covered: boolean;
}

const COVERED: HtmlCell = { text: '', exact: null, covered: true };

/** Parses the table of an HTML clipboard; null if there is none, or several. */
export function readHtmlTable(html: string): HtmlTable | null {
  if (!/<table/i.test(html)) return null;
  const styles: string[] = [];
  const page = parse(html, styles);
  const [table, another] = page.querySelectorAll('table');
  if (!table || another) return null;
  const generator = page.querySelector('meta[name=generator]')?.getAttribute('content') ?? '';
  const verbatim = /^LibreOffice|^OpenOffice/.test(generator);
  const formats = formatsOf(styles.join('\n'));
  const rows: HtmlCell[][] = [];
  for (const [r, row] of [...table.rows].entries()) {
    const cells = (rows[r] ??= []);
    let col = 0;
    for (const cell of row.cells) {
      while (cells[col]) col++;
      cells[col] = { ...readCell(cell, formats, verbatim), covered: false };
      cover(rows, r, col, cell);
      col++;
    }
  }
  const filled = rows.map((row) => Array.from(row, (cell) => cell ?? COVERED));
  return filled.length === 0 ? null : { rows: filled.slice(0, table.rows.length), verbatim };
}

/** The limits of the HTML standard; real copies are smaller. */
const MAX_SPAN = 1000;

function cover(rows: HtmlCell[][], r: number, col: number, cell: HTMLTableCellElement): void {
  const width = Math.min(cell.colSpan, MAX_SPAN);
  const height = Math.min(cell.rowSpan, MAX_SPAN);
  for (let down = 0; down < height; down++) {
    const cells = (rows[r + down] ??= []);
    for (let across = 0; across < width; across++) cells[col + across] ??= COVERED;
  }
}

/**
 * Parses a document without loading or applying anything: under the page's content security policy the browser would
 * report each style in it.
 * @param styles receives the style sheets
 */
function parse(html: string, styles: string[]): Document {
  const bare = html
    .replace(/<style[^>]*>(.*?)<\/style>/gis, (_, css: string) => {
      styles.push(css);
      return '';
    })
    .replace(/<[a-z](?:"[^"]*"|'[^']*'|[^<>"'])*>/gi, (tag) =>
      tag.replace(/\sstyle(?=\s*=)/i, ' data-style'),
    );
  return new DOMParser().parseFromString(bare, 'text/html');
}

/** Number formats by Excel's class names. */
function formatsOf(css: string): ReadonlyMap<string, string> {
  const formats = new Map<string, string>();
  for (const [, name = '', body = ''] of css.matchAll(/\.([\w-]+)\s*\{([^}]*)\}/g)) {
    const format = msoFormat(body);
    if (format !== null) formats.set(name, format);
  }
  return formats;
}

function msoFormat(style: string): string | null {
  const [, quoted, bare] = /mso-number-format:\s*(?:["']([^"']*)["']|([^;]+))/i.exec(style) ?? [];
  return (quoted ?? bare)?.replace(/\\(.)/g, '$1').trim() ?? null;
}

function readCell(
  cell: HTMLTableCellElement,
  formats: ReadonlyMap<string, string>,
  verbatim: boolean,
): ClipCell {
  const style = cell.getAttribute('data-style') ?? '';
  const isVerbatim = verbatim || /white-space:\s*(?:pre|break-spaces)/i.test(style);
  const text = textOf(cell, isVerbatim);
  const format = msoFormat(style) ?? formats.get(cell.className) ?? '';
  return { text, exact: exactOf(cell, text, format) };
}

function textOf(cell: HTMLElement, verbatim: boolean): string {
  for (const broken of cell.querySelectorAll('br')) broken.replaceWith('\u0000');
  const text = cell.textContent;
  if (text === '\u0000' || text === '\u00a0') return '';
  if (verbatim) return text.replaceAll('\u0000', '\n');
  return text
    .replace(/[ \t\r\n\f]+/g, ' ')
    .replace(/ ?\u0000 ?/g, '\n')
    .replace(/^ | $/g, '');
}

function exactOf(cell: HTMLElement, text: string, format: string): ExactValue | null {
  // The error of a formula has a number, but no meaning as one.
  if (text.startsWith('#')) return null;
  const sheets = cell.getAttribute('data-sheets-value');
  if (sheets !== null) {
    return ofSheets(sheets, cell.getAttribute('data-sheets-numberformat') ?? '');
  }
  const sdval = cell.getAttribute('sdval');
  if (sdval !== null) {
    // LANGUAGE;LANGUAGE OF THE FORMAT;FORMAT
    const [, code = ''] = /^[^;]*;[^;]*;(.*)$/s.exec(cell.getAttribute('sdnum') ?? '') ?? [];
    return ofNumber(sdval, code);
  }
  const number = cell.getAttribute('x:num');
  if (number) return ofNumber(number, format);
  const truth = cell.getAttribute('x:bool');
  if (truth !== null) return { is: 'boolean', text: String(/^true$/i.test(truth)) };
  const order = orderOfFormat(format);
  return order && { is: 'order', order };
}

function ofNumber(written: string, format: string): ExactValue | null {
  const value = Number(written);
  if (written.trim() === '' || !Number.isFinite(value)) return null;
  if (format === 'BOOLEAN') return { is: 'boolean', text: String(value !== 0) };
  if (orderOfFormat(format) !== null) {
    const day = dayOfSerial(value);
    return day === null ? null : { is: 'day', text: day };
  }
  // A time of day is not a number for the user.
  return /[hs]{1,2}:/i.test(format) ? null : { is: 'number', text: plainNumber(value) };
}

/** Google Sheets: `{"1": type, "type": value}`, type 3 a number, 4 a boolean. */
function ofSheets(value: string, format: string): ExactValue | null {
  const { 1: type, 3: number, 4: truth } = objectOf(value);
  if (type === 4) return { is: 'boolean', text: String(truth === 1 || truth === true) };
  if (type !== 3 || typeof number !== 'number') return null;
  const { 1: kind } = objectOf(format);
  if (kind === 6) return null;
  const isDay = kind === 5 || kind === 7;
  return isDay
    ? ofNumber(String(number), 'yyyy-mm-dd')
    : { is: 'number', text: plainNumber(number) };
}

function objectOf(json: string): Readonly<Record<number, unknown>> {
  try {
    const read: unknown = JSON.parse(json);
    return typeof read === 'object' && read !== null ? { ...read } : {};
  } catch {
    return {};
  }
}
