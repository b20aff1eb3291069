import { sql } from 'kysely';
import type { DuplicateKeys } from '../database.ts';
import { duplicateKey } from './duplicate-keys.ts';

/** Of the transaction that stores all keys: enough to sort a million of them in memory. */
const WORK_MEMORY = '64MB';
/** How long the removal of keys waits for transactions that read any, in milliseconds: others wait behind it. */
const MAX_LOCK_WAIT = 200;

const partition = (checkId: number) => sql.table(`check_keys_${checkId}`);

/** Each check has a partition, with the indexes by which its rows are found. */
export const DUPLICATE_KEYS: DuplicateKeys = {
  keyOf: duplicateKey,
  async storedChecks(db) {
    const { rows } = await sql<{ id: number }>`
      select cast(substring(relname from '[0-9]+$') as integer) as id from pg_class
      where oid in (select inhrelid from pg_inherits where inhparent = 'check_keys'::regclass)
      order by id`.execute(db.k);
    return rows.map(({ id }) => id);
  },
  async storeAll(db, checkId, keys) {
    await sql`set local work_mem to ${sql.lit(WORK_MEMORY)}`.execute(db.k);
    const [own, id] = [partition(checkId), sql.lit(checkId)];
    // With this constraint nothing is read when it becomes a partition.
    await sql`create table ${own} (like check_keys, check (check_id = ${id}))`.execute(db.k);
    await sql`insert into ${own} (check_id, row_id, part, key)
      select ${id}, row_id, part, key from (${keys}) as found`.execute(db.k);
    // To sort by the key first takes a part of the time of an order that begins with equal values.
    await sql`create index on ${own} (key, part, row_id)`.execute(db.k);
    await sql`create index on ${own} (row_id, part)`.execute(db.k);
    await sql`alter table check_keys attach partition ${own} for values in (${id})`.execute(db.k);
  },
  async remove(db, checkId) {
    await db.adapter.limitLockWaits(db, MAX_LOCK_WAIT);
    await sql`drop table if exists ${partition(checkId)}`.execute(db.k);
  },
};
