import { readPosition } from '../datasets.queries.ts';
import { isNewRow, type RowKey } from '../edit-store/edits.ts';
import type { TableRows } from './use-rows.ts';

/**
 * The position of a row in the list, from 0; null: hidden by the filter.
 * @throws {CallError} if the service cannot determine it
 */
export async function findRow(guid: string, rows: TableRows, key: RowKey): Promise<number | null> {
  const known = rows.indexOf(key);
  if (known !== null || isNewRow(key)) return known;
  return readPosition(guid, rows.reading.view, key);
}
