import type { Scalar } from '#shared/values/value-type.ts';
import type { Transaction } from '../database.ts';
import { updateRows } from './bulk-statements.ts';
import {
  columnsOf,
  storedValues,
  tableName,
  type CollectionRef,
  type StoredField,
} from './columns.ts';

/**
 * Stores values in columns that no definition uses yet; versions and the history do not change.
 * @param records with values in the order of the fields
 */
export async function storeConverted(
  db: Transaction,
  collection: CollectionRef,
  fields: readonly StoredField[],
  records: readonly { readonly id: number; readonly values: readonly Scalar[] }[],
): Promise<void> {
  if (fields.length === 0) return;
  const columns = fields.flatMap(columnsOf).map(([name]) => name);
  const rows = records.map(({ id, values }) => [
    id,
    ...fields.flatMap((field, index) => storedValues(db.adapter, field, values[index] ?? null)),
  ]);
  await updateRows(db, tableName(collection), ['_id'], columns, rows);
}
