import { type CellStyle, decodeEscapes, StringCollector, type Workbook } from './workbook.ts';
import { visitXml } from './xml.ts';
import type { ZipParts } from './zip-parts.ts';

/** The value of a cell; null if it is empty. */
export type CellValue = string | number | boolean | Date | null;

/** A row of a sheet. */
interface XlsxRow {
  /** as the file says, from 1; NaN if it does not */
  readonly number: number;
  readonly values: readonly CellValue[];
}

/** The cells of a row that are in the file, with their columns from 0. */
type Cells = [number, CellValue][];

/** Columns of a sheet (Microsoft's "Excel specifications and limits"). */
const MAX_COLUMNS = 16_384;
/** Characters of a number, a formula's text or a truth value. */
const MAX_VALUE = 1024 * 1024;

/**
 * Reads the rows of a sheet as a stream, with numbers as the sheet displays them where they are dates or have leading zeros.
 * @throws {Error} if the sheet does not exist, a cell is outside of it, or something in it is too long
 */
export async function* readXlsxRows(
  parts: ZipParts,
  { sheet, sharedStrings, styles, isFrom1904 }: Workbook,
): AsyncGenerator<XlsxRow> {
  const stream = await parts.stream(sheet);
  if (!stream) throw new Error('The sheet does not exist.');
  const rows: { number: number; cells: Cells }[] = [];
  const inline = new StringCollector();
  let number = Number.NaN;
  let cells: Cells = [];
  let column = -1;
  let type = 'n';
  let style: CellStyle = 'number';
  let inValue = false;
  let value = '';

  const valueOfCell = (): CellValue => {
    if (type === 'inlineStr') return inline.take();
    if (type === 's') return value === '' ? null : (sharedStrings[Number(value)] ?? null);
    if (type === 'str') return decodeEscapes(value);
    if (type === 'b') return /^(?:1|true)$/i.test(value);
    if (type === 'n') return numberOf(value.trim(), style, isFrom1904);
    // An error such as #REF!, or a date as text.
    return value === '' ? null : value;
  };
  const chunks = visitXml(stream, {
    onOpen(name, attributes) {
      if (name === 'row') {
        number = Number(attributes['r'] ?? Number.NaN);
        cells = [];
        column = -1;
      } else if (name === 'c') {
        const { r = '', t = 'n', s = '' } = attributes;
        column = columnOf(r) ?? column + 1;
        if (column >= MAX_COLUMNS) throw new Error(`The cell ${r} is outside of a sheet.`);
        type = t;
        style = styles[Number(s)] ?? 'number';
        value = '';
        inline.take();
      } else if (name === 'v') inValue = true;
      else inline.open(name);
    },
    onText(piece) {
      if (!inValue) return inline.text(piece);
      value += piece;
      if (value.length > MAX_VALUE) throw new Error('A cell contains too long a text.');
    },
    onClose(name) {
      if (name === 'row') rows.push({ number, cells });
      else if (name === 'c') cells.push([column, valueOfCell()]);
      else if (name === 'v') inValue = false;
      else inline.close(name);
    },
  });
  for await (const _ of chunks) {
    // Not before: a row with one cell far to the right is much larger than in the file.
    for (const row of rows.splice(0)) yield { number: row.number, values: valuesOf(row.cells) };
  }
}

function valuesOf(cells: Cells): CellValue[] {
  const values: CellValue[] = [];
  for (const [column, value] of cells) {
    while (values.length < column) values.push(null);
    values[column] = value;
  }
  return values;
}

/** A is 0, Z is 25, AA is 26; undefined for a cell without a column. */
function columnOf(cell: string): number | undefined {
  const letters = /^[A-Z]+/.exec(cell)?.[0];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

function numberOf(text: string, style: CellStyle, isFrom1904: boolean): CellValue {
  if (text === '') return null;
  const number = Number(text);
  if (Number.isNaN(number)) return text;
  if (style === 'date') return dateOf(number, isFrom1904);
  if (style === 'number' || !/^-?\d+$/.test(text)) return number;
  const digits = text.replace('-', '').padStart(style.digits, '0');
  return text.startsWith('-') ? `-${digits}` : digits;
}

const DAY = 86_400_000;
const DAY_0 = Date.UTC(1899, 11, 31);
const DAY_0_FROM_1904 = Date.UTC(1904, 0, 1);
/** Excel counts the 29th of February 1900, which did not exist, as this day. */
const NO_DAY = 60;

function dateOf(days: number, isFrom1904: boolean): Date {
  if (isFrom1904) return new Date(DAY_0_FROM_1904 + Math.round(days * DAY));
  return new Date(DAY_0 + Math.round((days >= NO_DAY ? days - 1 : days) * DAY));
}
