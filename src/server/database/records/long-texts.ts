import { sql } from 'kysely';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { tableName } from './columns.ts';
import { longKeySql } from './sort-key.ts';

/** Long texts beyond this many are taken to have equal beginnings without a look. */
const MAX_COMPARED = 1_000;

/** Whether the order of the field's texts cannot be told by their keys alone: two long ones may begin the same. */
export async function mayShareKeys(
  db: Transaction,
  collection: Collection,
  fieldNumber: number,
): Promise<boolean> {
  const field = { number: fieldNumber, type: 'text' } as const;
  const [table, long] = [sql.table(tableName(collection)), longKeySql(field)];
  const count = await sql<{ texts: number }>`
    select count(*) as texts from (
      select 1 from ${table} where ${long} limit ${MAX_COMPARED + 1}) as long_texts`.execute(db.k);
  const texts = count.rows[0]?.texts ?? 0;
  if (texts === 0 || texts > MAX_COMPARED) return texts > 0;
  const { rows } = await sql<{ keys: number }>`
    select count(distinct ${db.adapter.sortKey(field)}) as keys from ${table} where ${long}`.execute(
    db.k,
  );
  return (rows[0]?.keys ?? 0) < texts;
}
