import type { Scalar } from '#shared/values/values.ts';

/** Under this type a copy carries its values as they are, so that a round trip within Indexdesk is exact. */
export const OWN_TYPE = 'application/x-indexdesk-cells';

/** Writes rows of values for `OWN_TYPE`. */
export function writeOwnCells(rows: readonly (readonly Scalar[])[]): string {
  return JSON.stringify({ version: 1, rows });
}

/** Reads what `writeOwnCells` wrote; null where it is nothing of the kind. */
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

function isScalar(value: unknown): value is Scalar {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
