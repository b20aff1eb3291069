import * as cellTexts from '#messages/spreadsheet-cells.ts';
import * as texts from '#messages/values.ts';
import { neutraliseCsv } from '../values/csv-formulas.ts';
import {
  type Notation,
  type OffsetsAt,
  type Reading,
  readText,
  unreadable,
} from '../values/readings.ts';
import { plainDecimal } from '../values/plain-numbers.ts';
import { isText, valueType } from '../values/registry.ts';
import { equalityKey, parseValue, type ValueRules } from '../values/value-rules.ts';
import type { Scalar } from '../values/value-type.ts';

/** The content of a spreadsheet cell. A day is its midnight UTC; null is an empty cell. */
export type Cell = string | number | boolean | Date | null;

/**
 * The maximum length of a text in an Excel cell, in UTF-16 code units (Microsoft's "Excel specifications and limits").
 */
const MAX_CELL_LENGTH = 32_767;

/**
 * The cell that shows a value in a typed spreadsheet (XLSX). A value that such a cell cannot hold exactly
 * is a text: date-times with their offsets, whole numbers of more than 15 digits, days before March 1900.
 */
export function toCell(field: ValueRules, value: Scalar): Cell {
  if (typeof value === 'number') {
    return Math.abs(value) >= 1e15 ? String(value) : value;
  }
  if (typeof value !== 'string') return value;
  const { toDate } = valueType(field.type).sheet;
  return toDate ? (toDate(value) ?? value) : escapeCodes(cut(value));
}

/** In XLSX `_x0041_` represents a character (ISO/IEC 29500-1, 22.9.2.19): texts that contain such a code are escaped. */
function escapeCodes(text: string): string {
  return text.replaceAll(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_');
}

/** Cells as a line of CSV without its end (RFC 4180); a separator is one character. */
export function csvLine(cells: readonly string[], separator: string): string {
  const isSpecial = (cell: string) => /["\r\n]/.test(cell) || cell.includes(separator);
  return cells
    .map((cell) => (isSpecial(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
    .join(separator);
}

/** The text of a value in a CSV file, in the form of the interface, safe to be opened in a spreadsheet program. */
export function toCsvText(value: Scalar): string {
  if (value === null) return '';
  return typeof value === 'string' ? neutraliseCsv(cut(value)) : String(value);
}

/** A text that is too long for a cell is not cut: the cell has a note instead, which changes nothing when imported. */
function cut(text: string): string {
  if (text.length <= MAX_CELL_LENGTH) return text;
  return cellTexts.tooLongForCell(text.length);
}

export type CellReading = Reading | { readonly kind: 'unchanged' };

/**
 * The value of a field that an imported spreadsheet cell gives.
 * @param current the present value of the field: what a spreadsheet program cannot preserve (kinds of line breaks,
 * the difference between "" and no value) does not count as a change
 */
export function readCell(
  field: ValueRules,
  cell: Cell,
  current: Scalar,
  notation: Notation,
): CellReading {
  const empty = cell === null || cell === '';
  if (empty) {
    return current === null || current === '' ? { kind: 'unchanged' } : read(field, null);
  }
  const reading = readFilled(field, cell, current, notation);
  return reading.kind === 'value' && reading.value === current ? { kind: 'unchanged' } : reading;
}

function readFilled(
  field: ValueRules,
  cell: string | number | boolean | Date,
  current: Scalar,
  notation: Notation,
): CellReading {
  if (cell instanceof Date) return readDateCell(field, cell, current, notation);
  if (typeof cell === 'boolean') return read(field, cell);
  if (typeof cell === 'number') return readNumberCell(field, cell);
  // The error result of a formula is not a value, not even of a text field.
  if (cell !== current && ERROR.test(cell)) {
    return unreadable(texts.formulaError({ error: cell }));
  }
  if (!isText(field)) return readText(field, cell, notation, offsetLike(current));
  if (typeof current === 'string') {
    if (cell === cut(current) || sameButForLineBreaks(cell, current)) return { kind: 'unchanged' };
    return readText(field, withLineBreaksOf(cell, current), notation);
  }
  return readText(field, cell, notation);
}

function readNumberCell(field: ValueRules, cell: number): Reading {
  // 12345678901234567 of an id is read as 12345678901234568, which cannot be detected.
  if (isText(field) && Math.abs(cell) > Number.MAX_SAFE_INTEGER) {
    return unreadable(texts.tooManyDigitsInCell);
  }
  return read(field, plainNumber(cell));
}

/** The error results of formulas (ISO/IEC 29500-1, 18.17.2.7). */
const ERROR = /^#(?:REF!|N\/A|VALUE!|NAME\?|DIV\/0!|NULL!|NUM!|SPILL!|CALC!)$/;

function read(field: ValueRules, raw: string | boolean | null): Reading {
  const parsed = parseValue(field, raw);
  return parsed.ok ? { kind: 'value', value: parsed.value } : unreadable(parsed);
}

/**
 * A number of a spreadsheet in plain digits, as the programs show it: digits beyond the 15th are the rounding errors of
 * their arithmetic.
 */
export function plainNumber(cell: number): string {
  return plainDecimal(Number.isSafeInteger(cell) ? cell : Number(cell.toPrecision(15)));
}

/** Milliseconds. */
const NOISE = 5;

function readDateCell(
  field: ValueRules,
  cell: Date,
  current: Scalar,
  notation: Notation,
): CellReading {
  const text = dateCellText(cell);
  if (text === '') return unreadable(texts.noSuchDateInCell);
  const reading = isText(field)
    ? read(field, text)
    : readText(field, text, notation, offsetLike(current));
  // Such a cell does not hold how a time is written: 09:30 or 09:30:00.
  const isSame =
    reading.kind === 'value' &&
    equalityKey(field.type, reading.value) === equalityKey(field.type, current);
  return isSame ? { kind: 'unchanged' } : reading;
}

/** The days that spreadsheet programs use for a time of day: that of the number 0, in their calendars. */
const DAYS_OF_TIMES: readonly string[] = ['1899-12-30', '1899-12-31', '1904-01-01'];

const FIRST = Date.parse('0000-01-01T00:00:00Z');
const LAST = Date.parse('9999-12-31T23:59:59Z');

/** The text of a cell with a date: its day, its time of day or both, as it is shown; '' outside of the years 0 to 9999. */
export function dateCellText(cell: Date): string {
  // Spreadsheets store days as fractions: a few milliseconds next to a whole second are rounding errors.
  const second = Math.round(cell.getTime() / 1000) * 1000;
  if (!(second >= FIRST && second <= LAST)) return '';
  const isNoise = Math.abs(cell.getTime() - second) <= NOISE;
  const iso = (isNoise ? new Date(second) : cell).toISOString();
  const day = iso.slice(0, 10);
  const time = iso.slice(11, -1).replace(/\.000$/, '');
  if (DAYS_OF_TIMES.includes(day)) return time.replace(/:00$/, '');
  return time === '00:00:00' ? day : `${day} ${time}`;
}

/**
 * In a spreadsheet, a date-time without an offset gets the offset of the value that it replaces; undefined: there is no
 * such value.
 */
export function offsetLike(current: Scalar): OffsetsAt | undefined {
  const offset = typeof current === 'string' ? /(?:Z|[+-][0-9]{2}:[0-9]{2})$/.exec(current) : null;
  return offset ? () => [offset[0]] : undefined;
}

function sameButForLineBreaks(a: string, b: string): boolean {
  return a === b || a.replace(/\r\n?/g, '\n') === b.replace(/\r\n?/g, '\n');
}

/** Spreadsheet programs have only one kind of line break; a corrected text keeps its kind. */
function withLineBreaksOf(cell: string, current: string): string {
  const plain = cell.replace(/\r\n?/g, '\n');
  if (!/[\r\n]/.test(current)) return cell;
  return /^(?:[^\r\n]|\r\n)*$/.test(current) ? plain.replaceAll('\n', '\r\n') : plain;
}
