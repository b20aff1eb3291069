import { sql, type RawBuilder } from 'kysely';
import type { DuplicateKeys, Transaction } from '../database.ts';
import type { ComparedRecords, RecordKey } from '../records/compared-records.ts';
import { tableName, valueColumn } from '../records/columns.ts';
import { allOf, type Sql } from '../records/comparisons.ts';
import { duplicateKey } from './duplicate-keys.ts';
import { SQL_SYNTAX } from './postgres-syntax.ts';

/** Enough to compare a million keys in memory. */
const WORK_MEMORY = '64MB';
/** How long the removal of keys waits for transactions that read any, in milliseconds: others wait behind it. */
const MAX_LOCK_WAIT = 200;
/** Records of one write: others wait for the disk no longer than it takes. */
const RECORD_BATCH_SIZE = 10_000;
const ID_BATCH_SIZE = 1_000;

const partition = (checkId: number) => sql.table(`check_keys_${checkId}`);
const findingTable = (checkId: number) => sql.table(`check_findings_${checkId}`);
const recordId = ({ collection }: ComparedRecords) =>
  sql.ref<boolean>(`${tableName(collection)}._id`);

/**
 * Each check has a partition of `check_keys`, with the indexes by which its rows are found, and for its first findings a table that
 * inherits from `check_findings`: reading and deleting there includes it, later findings are inserted there.
 */
export const DUPLICATE_KEYS: DuplicateKeys = {
  async compute(db, compared, ids) {
    const isOne = sql<boolean>`${recordId(compared)} ${SQL_SYNTAX.isAmong(ids)}`;
    const { rows } = await sql<RecordKey>`
      select row_id as id, part, key from (${storedKeysSql(compared, isOne)}) as found
      order by row_id, part`.execute(db.k);
    return rows;
  },
  async storedChecks(db) {
    const { rows } = await sql<{ id: number }>`
      select cast(substring(relname from '[0-9]+$') as integer) as id from pg_class
      where oid in (select inhrelid from pg_inherits where inhparent = 'check_keys'::regclass)
      order by id`.execute(db.k);
    return rows.map(({ id }) => id);
  },
  async storeAll(db, checkId, compared) {
    const [own, id] = [partition(checkId), sql.lit(checkId)];
    await preferParallelPlans(db);
    // Unlike an insertion, the creation of a table from a query may read in parallel; an offset would prevent that.
    await sql`create table ${own} as select ${id} as check_id, row_id, part, key
      from (${keysSql(compared)}) as found`.execute(db.k);
    await sql`delete from ${own} where key is null`.execute(db.k);
    // With the check nothing is read when it becomes a partition.
    await sql`alter table ${own} alter check_id set not null, alter row_id set not null,
      alter part set not null, alter key set not null, add check (check_id = ${id})`.execute(db.k);
    // To sort by the key first takes a part of the time of an order that begins with equal values.
    await sql`create index on ${own} (key, part, row_id)`.execute(db.k);
    await sql`create index on ${own} (row_id, part)`.execute(db.k);
    await sql`alter table check_keys attach partition ${own} for values in (${id})`.execute(db.k);
    await sql`analyze ${own}`.execute(db.k);
  },
  async planRenewal(db, checkId, compared) {
    const { rows } = await sql<{ id: number }>`
      select id from (select _id as id, row_number() over (order by _id) as row_index
        from ${sql.table(tableName(compared.collection))}) as records
      where row_index % ${sql.lit(RECORD_BATCH_SIZE)} = 0 order by id`.execute(db.k);
    const bounds = rows.map(({ id }) => id);
    return [null, ...bounds].map((after, i) => {
      const range = { after, upTo: bounds[i] ?? null };
      return (write) => renewKeys(write, checkId, compared, range);
    });
  },
  async *readShared(db, checkId) {
    // Hundreds of numbers in one text take less time than as many rows.
    const batch = sql`row_id / ${sql.lit(ID_BATCH_SIZE)}`;
    const { rows } = await sql<{ ids: string }>`
      select string_agg(row_id::text, ',' order by row_id) as ids
      from (${sharedKeysSql(checkId)}) as found group by ${batch} order by ${batch}`.execute(db.k);
    for (const { ids } of rows) yield ids.split(',').map(Number);
  },
  async storeSharedAsFindings(db, checkId) {
    const [own, id] = [findingTable(checkId), sql.lit(checkId)];
    await preferParallelPlans(db);
    // Not for the keys, where it lets the planner build a hash table of all records.
    await sql`set local work_mem to ${sql.lit(WORK_MEMORY)}`.execute(db.k);
    await sql`create table ${own} as select ${id} as check_id, row_id
      from (${sharedKeysSql(checkId)}) as found order by row_id`.execute(db.k);
    await sql`alter table ${own} alter check_id set not null, alter row_id set not null,
      add check (check_id = ${id}), add primary key (check_id, row_id),
      inherit check_findings`.execute(db.k);
    const { rows } = await sql<{ count: number }>`
      select cast(count(*) as integer) as count from ${own}`.execute(db.k);
    return rows[0]?.count ?? 0;
  },
  async remove(db, checkId) {
    await db.adapter.limitLockWaits(db, MAX_LOCK_WAIT);
    await sql`drop table if exists ${partition(checkId)}, ${findingTable(checkId)}`.execute(db.k);
  },
};

/**
 * Lets the planner use several processes for the rest of the transaction: it underestimates how long a key takes to compute, so
 * the transfer of the rows between processes seems to cost more than they save.
 */
async function preferParallelPlans(db: Transaction): Promise<void> {
  await sql`set local parallel_tuple_cost to 0`.execute(db.k);
  await sql`set local parallel_setup_cost to 0`.execute(db.k);
}

/**
 * Selects `row_id`, `part` and `key` of the compared records. The key is null where all characters of a text are ignored.
 * @param condition which of them; by default all
 */
function keysSql(compared: ComparedRecords, condition: readonly Sql[] = []): RawBuilder<unknown> {
  const { collection, lists, ignore, conditions } = compared;
  const table = tableName(collection);
  const keysOfLists = lists.map((fields, part) => {
    const haveValues = fields.map(
      (field) => sql<boolean>`${sql.ref(`${table}.${valueColumn(field)}`)} is not null`,
    );
    return sql`select ${recordId(compared)} as row_id, ${sql.lit(part)} as part,
        ${duplicateKey(collection, fields, ignore)} as key
      from ${sql.table(table)} where ${allOf([...condition, ...conditions, ...haveValues])}`;
  });
  return sql.join(keysOfLists, sql` union all `);
}

/** The same for one condition, without null keys. With an offset each key is computed only once. */
function storedKeysSql(compared: ComparedRecords, condition: Sql): RawBuilder<unknown> {
  return sql`select row_id, part, key
    from (select * from (${keysSql(compared, [condition])}) as keys offset 0) as computed
    where key is not null`;
}

/** Selects the records that have a key in common with another. */
function sharedKeysSql(checkId: number): RawBuilder<unknown> {
  return sql`select distinct row_id from check_keys
    where check_id = ${checkId} and (part, key) in (select part, key from check_keys
      where check_id = ${checkId} group by part, key having count(*) > 1)`;
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
  checkId: number,
  compared: ComparedRecords,
  range: RecordRange,
): Promise<void> {
  const keys = storedKeysSql(compared, inRange(recordId(compared), range));
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
