import { VALUE_TYPES, isBoolean, isText, type ValueType } from '#shared/values/registry.ts';
import { readLenient, UNKNOWN_NOTATION } from '#shared/values/readings.ts';
import type { SheetRow } from '../spreadsheets/sheet.ts';
import { NO_HEADER } from '#shared/contract/file-analysis.ts';

/** The number of rows in which the header is searched. */
export const HEADER_SEARCH = 20;

/** Rows above the header, such as a title, fill fewer cells than this part of the widest row. */
const MIN_FILLED_SHARE = 0.8;

/** Words such as No are headings more often than booleans. */
const TYPED: readonly ValueType[] = VALUE_TYPES.filter(
  (type) => !isText({ type }) && !isBoolean({ type }),
);

/**
 * Detects the line of the header: the first row that fills most columns with distinct texts that are not numbers, dates
 * or times. `NO_HEADER` if there is none. The last of several rows is never the header, because no row would follow it.
 * @param rows the first rows of the file
 * @param isWholeFile whether the file has no further rows
 */
export function guessHeader(rows: readonly SheetRow[], isWholeFile: boolean): number {
  const filled = ({ cells }: SheetRow) => cells.filter((cell) => cell !== null && cell !== '');
  const widest = Math.max(...rows.map((row) => filled(row).length));
  const candidates = isWholeFile && rows.length > 1 ? rows.slice(0, -1) : rows;
  const header = candidates.find((row) => {
    const cells = filled(row);
    const isWide = cells.length >= widest * MIN_FILLED_SHARE;
    return isWide && cells.every(isTitle) && new Set(cells.map(String)).size === cells.length;
  });
  return header?.line ?? NO_HEADER;
}

function isTitle(cell: unknown): boolean {
  if (typeof cell !== 'string') return false;
  return TYPED.every((type) => {
    const reading = readLenient({ type }, cell, UNKNOWN_NOTATION);
    return reading.kind === 'unreadable';
  });
}
