import { sql } from 'kysely';
import type { Thing } from './thing.ts';
import type { Db } from '../database.ts';
import { tableName } from './columns.ts';
import { longKeySql, sortKeySql } from './sort-key.ts';

/** Long texts beyond this many are taken to have equal beginnings without a look. */
const MAX_COMPARED = 1_000;

/** Whether the order of the field's texts cannot be told by their keys alone: two long ones may begin the same. */
export async function mayShareKeys(db: Db, thing: Thing, fieldNumber: number): Promise<boolean> {
  const field = { number: fieldNumber, type: 'text' } as const;
  const { rows } = await sql<{ keys: number; texts: number }>`
    select count(distinct key) as keys, count(*) as texts from (
      select ${sortKeySql(db.dialect, field)} as key from ${sql.table(tableName(thing))}
      where ${longKeySql(field)} limit ${MAX_COMPARED + 1}) as long_texts`.execute(db.k);
  const { keys = 0, texts = 0 } = rows[0] ?? {};
  return texts > MAX_COMPARED || keys < texts;
}
