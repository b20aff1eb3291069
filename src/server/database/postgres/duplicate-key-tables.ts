import { sql } from 'kysely';
import type { DuplicateKeys, Transaction } from '../database.ts';
import { duplicateKey } from './duplicate-keys.ts';

/** Each check has a partition of both tables, with an index by which its rows are found. */
const INDEXED = {
  check_record_keys: ['row_id', 'part'],
  // To sort by the key first takes a part of the time of an order that begins with equal values.
  check_keys: ['key', 'part', 'row_id'],
} as const;
type KeyTable = keyof typeof INDEXED;

/** Of the transaction that stores all keys: enough to sort a million of them in memory. */
const WORK_MEMORY = '64MB';
/** How long the removal of keys waits for transactions that read any, in milliseconds: others wait behind it. */
const MAX_LOCK_WAIT = 200;

const partition = (table: KeyTable, checkId: number) => sql.table(`${table}_${checkId}`);

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
    await fill(db, 'check_record_keys', checkId, keys);
    const recordKeys = partition('check_record_keys', checkId);
    await fill(db, 'check_keys', checkId, sql`select row_id, part, key from ${recordKeys}`);
  },
  async remove(db, checkId) {
    await db.adapter.limitLockWaits(db, MAX_LOCK_WAIT);
    const tables = [partition('check_keys', checkId), partition('check_record_keys', checkId)];
    await sql`drop table if exists ${sql.join(tables)}`.execute(db.k);
  },
};

async function fill(
  db: Transaction,
  table: KeyTable,
  checkId: number,
  keys: Parameters<DuplicateKeys['storeAll']>[2],
): Promise<void> {
  const [own, id] = [partition(table, checkId), sql.lit(checkId)];
  // With this constraint nothing is read when it becomes a partition.
  await sql`create table ${own} (like ${sql.table(table)}, check (check_id = ${id}))`.execute(db.k);
  await sql`insert into ${own} (check_id, row_id, part, key)
    select ${id}, row_id, part, key from (${keys}) as found`.execute(db.k);
  const columns = INDEXED[table].map((column) => sql.ref(column));
  await sql`create index on ${own} (${sql.join(columns)})`.execute(db.k);
  await sql`alter table ${sql.table(table)} attach partition ${own} for values in (${id})`.execute(
    db.k,
  );
}
