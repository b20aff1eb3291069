import { sql } from 'kysely';
import { READ_COMMITTED, type Database, type Transaction } from '../database.ts';
import { tableName, type CollectionRef } from '../records/columns.ts';

/*
 * The number of records of an archive or table is the sum of `record_counts`: triggers of each record table
 * add a row for each statement that inserts or deletes, in its transaction, so the sum is exact in every snapshot and no
 * two writes change the same row. The service merges the rows now and then. docs/decisions/0025-exact-totals.md
 */

/** Rows of one archive or table are merged from this number on; summing fewer takes less time than a statement. */
const MIN_ROWS_TO_MERGE = 64;

const FUNCTION = 'count_records';

/** Creates the function of the triggers (PostgreSQL); part of the system tables. */
export async function createCountFunction(db: Transaction): Promise<void> {
  await sql`create or replace function ${sql.ref(FUNCTION)}() returns trigger language plpgsql as $count$
    begin
      insert into record_counts (collection, change)
        select tg_table_name, case tg_op when 'INSERT' then count(*) else -count(*) end
        from changed having count(*) > 0;
      return null;
    end $count$`.execute(db.k);
}

/** Starts counting the rows that are inserted into and deleted from a record table. */
export async function createCountTriggers(db: Transaction, table: string): Promise<void> {
  for (const [event, rows] of [
    ['insert', 'new'],
    ['delete', 'old'],
  ] as const) {
    await sql`create or replace trigger ${sql.ref(`${table}_count_${event}`)} after ${sql.raw(event)} on ${sql.table(table)}
      referencing ${sql.raw(rows)} table as changed
      for each statement execute function ${sql.ref(FUNCTION)}()`.execute(db.k);
  }
}

/** The number of records of an archive or table in this snapshot, without counting them. */
export async function readCount(db: Transaction, collection: CollectionRef): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(change), 0)::bigint as count from record_counts
    where collection = ${tableName(collection)}`.execute(db.k);
  return rows[0]?.count ?? 0;
}

/** Merges the rows of archives and tables that have many. Several processes may run it at once; it blocks nothing. */
export async function mergeCounts(database: Database): Promise<void> {
  const collections = await database.read(async (db) => {
    const { rows } = await sql<{ collection: string }>`
      select collection from record_counts group by collection having count(*) >= ${MIN_ROWS_TO_MERGE}`.execute(
      db.k,
    );
    return rows.map(({ collection }) => collection);
  });
  for (const collection of collections) {
    // Skips a row that another process is merging.
    await database.write(
      (db) =>
        sql`with chosen as (
            select id from record_counts where collection = ${collection} for update skip locked
          ), merged as (
            delete from record_counts where collection = ${collection} and id in (select id from chosen)
            returning change
          )
          insert into record_counts (collection, change)
          select ${collection}, sum(change) from merged having count(*) > 0`.execute(db.k),
      READ_COMMITTED,
    );
  }
}
