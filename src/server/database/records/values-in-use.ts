import { sql } from 'kysely';
import { fold } from '#shared/values/fold.ts';
import type { Transaction } from '../database.ts';
import type { Collection } from './collection.ts';
import { fromStored, tableName, valueColumn, type StoredField } from './columns.ts';
import { allOf } from './comparisons.ts';
import type { ValueInUse } from './list-reader.ts';
import { columnOf, sourceOf } from './list-column-source.ts';

/** `ListReader.valuesInUse` with one statement. */
export async function valuesInUse(
  db: Transaction,
  collection: Collection,
  field: StoredField,
  part: string,
  limit: number,
): Promise<ValueInUse[]> {
  const column = columnOf(collection, field);
  const source = sourceOf(db, collection, column);
  const isText = source.kind === 'text';
  const conditions = await db.lists.conditions(collection, {
    where: [
      { column, op: 'null', isNull: false },
      ...(isText && part !== '' ? [{ column, op: 'like' as const, folded: fold(part) }] : []),
    ],
    q: '',
  });
  const value = sql.ref(valueColumn(field));
  const { rows } = await sql<{ value: unknown; count: number }>`
    select ${value} as value, count(*) as count from ${sql.table(tableName(collection))}
    where ${allOf(conditions)} group by ${value}
    order by count desc, ${source.kind === 'text' ? sql`min(${source.key})` : value}
    ${isText ? sql`limit ${limit}` : sql``}`.execute(db.k);
  return rows.map((row) => ({ value: fromStored(field, row.value), count: row.count }));
}
