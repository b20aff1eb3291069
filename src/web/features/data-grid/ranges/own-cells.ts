import { isScalar, type Scalar } from '#shared/values/value-type.ts';

/** The clipboard type with exact values, so that a copy within Indexdesk is exact. */
export const OWN_TYPE = 'application/x-indexdesk-cells';

/** Writes rows of values for `OWN_TYPE`. */
export function writeOwnCells(rows: readonly (readonly Scalar[])[]): string {
  return JSON.stringify({ version: 1, rows });
}

/** Parses the text of `writeOwnCells`; null if it is invalid. */
export function readOwnCells(text: string): Scalar[][] | null {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof read !== 'object' || read === null) return null;
  if (!('version' in read) || read.version !== 1 || !('rows' in read)) return null;
  const { rows } = read;
  return Array.isArray(rows) && rows.length > 0 && rows.every(isRow) ? rows : null;
}

function isRow(row: unknown): row is Scalar[] {
  return Array.isArray(row) && row.length > 0 && row.every(isScalar);
}
