import { sql, type RawBuilder } from 'kysely';
import type { Collection } from '../records/collection.ts';
import { tableName } from '../records/columns.ts';

/** The records in the order of an index; null: in the order of the table itself. */
export function tableByIndex(collection: Collection, index: string | null): RawBuilder<unknown> {
  const table = sql.table(tableName(collection));
  return index === null ? table : sql`${table} indexed by ${sql.ref(index)}`;
}
