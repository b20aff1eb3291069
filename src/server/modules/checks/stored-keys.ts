import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import type { Check } from '#server/database/records/check.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { tableName } from '#server/database/records/columns.ts';
import { allOf, type Sql } from '#server/database/records/comparisons.ts';
import { recordKeysSql } from './duplicate-keys.ts';

/*
 * Renews the stored keys of all records where the database computes them (`Adapter.duplicateKeys`), in parts: most are as
 * they were.
 */

/** Records, and keys, of one write: others wait for the disk no longer than it takes. */
const RECORD_BATCH_SIZE = 10_000;
const KEY_BATCH_SIZE = 200_000;
/** Each part reads all keys of the check. */
const MAX_KEY_PARTS = 32;

/** One of the writes that together store the keys of all records. */
type StoreKeys = (db: Transaction) => Promise<unknown>;

/** The writes that renew `check_record_keys`, and those that renew `check_keys` by what the first ones have stored. */
export async function keyWrites(
  db: Transaction,
  collection: Collection,
  check: Check,
  checkId: number,
): Promise<StoreKeys[]> {
  const bounds = await recordBounds(db, collection);
  const ofRecords = [null, ...bounds].map((after, i): StoreKeys => {
    const range = { after, upTo: bounds[i] ?? null };
    return (write) => storeRecordKeys(write, collection, check, checkId, range);
  });
  const count = ofRecords.length * RECORD_BATCH_SIZE * (check.duplicates?.lists.length ?? 0);
  const parts = Math.min(MAX_KEY_PARTS, Math.ceil(count / KEY_BATCH_SIZE));
  // Keys are 0 to MAX_SAFE_INTEGER; the upper bound of a part is exclusive.
  const size = Math.ceil((Number.MAX_SAFE_INTEGER + 1) / parts);
  const ofKeys = Array.from({ length: parts }, (_, i): StoreKeys => {
    const range = { least: i * size, below: (i + 1) * size };
    return (write) => storeKeys(write, checkId, range);
  });
  return [...ofRecords, ...ofKeys];
}

/** The ids of records that each end a part. */
async function recordBounds(db: Transaction, collection: Collection): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (select _id as id, row_number() over (order by _id) as place
      from ${sql.table(tableName(collection))}) as records
    where place % ${sql.lit(RECORD_BATCH_SIZE)} = 0 order by id`.execute(db.k);
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

async function storeRecordKeys(
  db: Transaction,
  collection: Collection,
  check: Check,
  checkId: number,
  range: RecordRange,
): Promise<void> {
  const id = sql.ref<boolean>(`${tableName(collection)}._id`);
  const keys = recordKeysSql(db, collection, check, inRange(id, range));
  await sql`delete from check_record_keys as stored
    where check_id = ${checkId} and ${inRange(sql.ref<boolean>('stored.row_id'), range)}
      and not exists (select 1 from (${keys}) as found where found.row_id = stored.row_id
        and found.part = stored.part and found.key = stored.key)`.execute(db.k);
  await sql`insert into check_record_keys (check_id, row_id, part, key)
    select ${checkId}::int, row_id, part, key from (${keys}) as found
    where not exists (select 1 from check_record_keys as stored
      where stored.check_id = ${checkId} and stored.row_id = found.row_id
        and stored.part = found.part)`.execute(db.k);
}

async function storeKeys(
  db: Transaction,
  checkId: number,
  { least, below }: { readonly least: number; readonly below: number },
): Promise<void> {
  const among = sql`check_id = ${checkId} and key >= ${least} and key < ${below}`;
  const same = sql`other.check_id = own.check_id and other.part = own.part
    and other.key = own.key and other.row_id = own.row_id`;
  await sql`delete from check_keys as own where ${among}
    and not exists (select 1 from check_record_keys as other where ${same})`.execute(db.k);
  await sql`insert into check_keys (check_id, part, key, row_id)
    select check_id, part, key, row_id from check_record_keys as own where ${among}
    and not exists (select 1 from check_keys as other where ${same})`.execute(db.k);
}
