import { sql } from 'kysely';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { tableName } from './columns.ts';
import { longKeySql } from './sort-key.ts';

/** If there are more long texts than this, equal beginnings are assumed without a check. */
const MAX_COMPARED = 1_000;

/**
 * Whether the sort keys alone do not determine the order of the field's texts: two long texts may have the same
 * beginning.
 */
export async function mayHaveEqualSortKeys(
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
