import { sql } from 'kysely';
import type { Transaction } from '../database.ts';

/** Version 10: the records that the full-text indexes do not contain yet, on SQLite. */
export async function createSearchDue(db: Transaction): Promise<void> {
  if (db.adapter.dialect !== 'sqlite') return;
  const { text, integer, bigint, strictByKey } = db.adapter.columnTypes;
  await db.k.schema
    .createTable('search_due')
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('thing_id', integer, (column) => column.notNull())
    .addColumn('row_id', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('search_due_key', ['scope', 'thing_id', 'row_id'])
    .modifyEnd(strictByKey)
    .execute();
  await setSearchOptions(db, { automerge: 0, crisismerge: 64 });
}

/** The version after that of `createValueCorrections`: see `MERGING` in `sqlite/search-index.ts`. */
export async function reduceSearchMerging(db: Transaction): Promise<void> {
  if (db.adapter.dialect !== 'sqlite') return;
  await setSearchOptions(db, { usermerge: 16, deletemerge: 50 });
}

/** Sets options of the full-text indexes of all archives and tables. */
async function setSearchOptions(
  db: Transaction,
  options: Readonly<Record<string, number>>,
): Promise<void> {
  const { rows } = await sql<{ search: string }>`
    select name as search from sqlite_master
    where type = 'table' and sql like 'create virtual table%' and name like '%\\_search' escape '\\'`.execute(
    db.k,
  );
  for (const { search } of rows) {
    for (const [option, value] of Object.entries(options)) {
      await sql`insert into ${sql.table(search)} (${sql.ref(search)}, rank) values (${option}, ${sql.lit(value)})`.execute(
        db.k,
      );
    }
  }
}
