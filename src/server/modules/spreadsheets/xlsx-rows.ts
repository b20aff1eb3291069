import { type CellStyle, decodeEscapes, StringCollector, type Workbook } from './workbook.ts';
import { visitXml, type XmlVisitor } from './xml.ts';
import type { ZipParts } from './zip-parts.ts';

/** The value of a cell; null if it is empty. */
export type CellValue = string | number | boolean | Date | null;

/** A row of a sheet. */
interface XlsxRow {
  /** as stored in the file, from 1; NaN: not stored */
  readonly number: number;
  readonly values: readonly CellValue[];
}

/** The cells of a row that are in the file, with their columns from 0. */
type Cells = [number, CellValue][];

/** A row without its empty cells: with them, one with a cell far to the right is much larger than in the file. */
interface SparseRow {
  readonly number: number;
  readonly cells: Cells;
}

/** Columns of a sheet (Microsoft's "Excel specifications and limits"). */
const MAX_COLUMNS = 16_384;
/** Characters of a number, a formula's text or a truth value. */
const MAX_VALUE = 1024 * 1024;

/**
 * Reads the rows of a sheet as a stream, with numbers as the sheet displays them where they are dates or have leading zeros.
 * @throws {Error} if the sheet does not exist, a cell is outside of it, or something in it is too long
 */
export async function* readXlsxRows(parts: ZipParts, workbook: Workbook): AsyncGenerator<XlsxRow> {
  const stream = await parts.stream(workbook.sheet);
  if (!stream) throw new Error('The sheet does not exist.');
  const collector = new RowCollector(workbook);
  for await (const _ of visitXml(stream, collector)) {
    for (const { number, cells } of collector.takeRows()) yield { number, values: valuesOf(cells) };
  }
}

/** Collects the rows of a sheet (ECMA-376, part 1, 18.3.1). */
class RowCollector implements XmlVisitor {
  readonly #workbook: Workbook;
  #rows: SparseRow[] = [];
  // Of the current row
  #number = Number.NaN;
  #cells: Cells = [];
  // Of the current cell
  #column = -1;
  #type = 'n';
  #style: CellStyle = 'number';
  #inValue = false;
  #value = '';
  readonly #inline = new StringCollector();

  constructor(workbook: Workbook) {
    this.#workbook = workbook;
  }

  onOpen(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'row') this.#beginRow(attributes);
    else if (name === 'c') this.#beginCell(attributes);
    else if (name === 'v') this.#inValue = true;
    else this.#inline.open(name);
  }

  onText(piece: string): void {
    if (!this.#inValue) return this.#inline.text(piece);
    this.#value += piece;
    if (this.#value.length > MAX_VALUE) throw new Error('A cell contains too long a text.');
  }

  onClose(name: string): void {
    if (name === 'row') this.#rows.push({ number: this.#number, cells: this.#cells });
    else if (name === 'c') this.#cells.push([this.#column, this.#valueOfCell()]);
    else if (name === 'v') this.#inValue = false;
    else this.#inline.close(name);
  }

  /** Returns the complete rows, and starts without them. */
  takeRows(): SparseRow[] {
    return this.#rows.splice(0);
  }

  #beginRow({ r }: Readonly<Record<string, string>>): void {
    this.#number = Number(r ?? Number.NaN);
    this.#cells = [];
    this.#column = -1;
  }

  #beginCell({ r = '', t = 'n', s = '' }: Readonly<Record<string, string>>): void {
    this.#column = columnOf(r) ?? this.#column + 1;
    if (this.#column >= MAX_COLUMNS) throw new Error(`The cell ${r} is outside of a sheet.`);
    this.#type = t;
    this.#style = this.#workbook.styles[Number(s)] ?? 'number';
    this.#value = '';
    this.#inline.take();
  }

  #valueOfCell(): CellValue {
    const value = this.#value;
    switch (this.#type) {
      case 'inlineStr':
        return this.#inline.take();
      case 's':
        return value === '' ? null : (this.#workbook.sharedStrings[Number(value)] ?? null);
      case 'str':
        return decodeEscapes(value);
      case 'b':
        return /^(?:1|true)$/i.test(value);
      case 'n':
        return numberOf(value.trim(), this.#style, this.#workbook.isFrom1904);
      default:
        // An error such as #REF!, or a date as text.
        return value === '' ? null : value;
    }
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
