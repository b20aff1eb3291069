import type { Transaction } from '../database.ts';

/** The table of backups and checks that administrators start. */
export async function createSystemJobs(db: Transaction): Promise<void> {
  const { text, integer, bigint, counted, strict } = db.adapter.columnTypes;
  await db.k.schema
    .createTable('system_jobs')
    .ifNotExists()
    .addColumn('id', integer, counted)
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('backup', text)
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('progress', text)
    .addColumn('result', text)
    .addColumn('error', text)
    .addColumn('actor', text, (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('finished_at', bigint)
    .addColumn('owner', text, (column) => column.notNull())
    .addColumn('lease_until', bigint, (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
}
