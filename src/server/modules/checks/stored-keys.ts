import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import type { Check } from '#server/database/records/check.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { tableName } from '#server/database/records/columns.ts';
import { allOf, type Sql } from '#server/database/records/comparisons.ts';
import { recordKeysSql } from './duplicate-keys.ts';

/** Records of one write: others wait for the disk no longer than it takes. */
const RECORD_BATCH_SIZE = 10_000;

/**
 * The writes that together renew the stored keys of all records, where the database computes them (`Adapter.duplicateKeys`): most
 * are as they were.
 */
export async function keyWrites(
  db: Transaction,
  collection: Collection,
  check: Check,
  checkId: number,
): Promise<((db: Transaction) => Promise<void>)[]> {
  const bounds = await recordBounds(db, collection);
  return [null, ...bounds].map((after, i) => {
    const range = { after, upTo: bounds[i] ?? null };
    return (write) => renewKeys(write, collection, check, checkId, range);
  });
}

/** The ids of records that each end a part. */
async function recordBounds(db: Transaction, collection: Collection): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (select _id as id, row_number() over (order by _id) as row_index
      from ${sql.table(tableName(collection))}) as records
    where row_index % ${sql.lit(RECORD_BATCH_SIZE)} = 0 order by id`.execute(db.k);
  return rows.map(({ id }) => id);
}

/** Records whose ids are greater than one and not greater than the other; null: no limit. */
interface RecordRange {
  readonly after: number | null;
  readonly upTo: number | null;
}

function inRange(column: Sql, { after, upTo }: RecordRange): Sql {
  return allOf([
    ...(after === null ? [] : [sql<boolean>`${column} > ${after}`]),
    ...(upTo === null ? [] : [sql<boolean>`${column} <= ${upTo}`]),
    sql<boolean>`true`,
  ]);
}

async function renewKeys(
  db: Transaction,
  collection: Collection,
  check: Check,
  checkId: number,
  range: RecordRange,
): Promise<void> {
  const id = sql.ref<boolean>(`${tableName(collection)}._id`);
  const keys = recordKeysSql(db, collection, check, inRange(id, range));
  const same = sql`found.row_id = stored.row_id and found.part = stored.part
    and found.key = stored.key`;
  await sql`delete from check_keys as stored
    where check_id = ${checkId} and ${inRange(sql.ref<boolean>('stored.row_id'), range)}
      and not exists (select 1 from (${keys}) as found where ${same})`.execute(db.k);
  await sql`insert into check_keys (check_id, row_id, part, key)
    select ${checkId}::int, row_id, part, key from (${keys}) as found
    where not exists (select 1 from check_keys as stored
      where stored.check_id = ${checkId} and ${same})`.execute(db.k);
}
