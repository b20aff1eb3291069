import type { Transaction } from '../database.ts';

/** Version 22: long changes of definitions become jobs, which another process or the next start continues. */
export async function createDefinitionJobs(db: Transaction): Promise<void> {
  const { text, integer, bigint, counted, strict } = db.adapter.columnTypes;
  await db.k.schema
    .createTable('definition_jobs')
    .ifNotExists()
    .addColumn('id', integer, counted)
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('thing_id', integer, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addColumn('phase', text, (column) => column.notNull())
    .addColumn('request', text, (column) => column.notNull())
    .addColumn('base_version', integer, (column) => column.notNull())
    .addColumn('position', bigint, (column) => column.notNull())
    .addColumn('since_entry', bigint, (column) => column.notNull())
    .addColumn('done', bigint, (column) => column.notNull())
    .addColumn('total', bigint, (column) => column.notNull())
    .addColumn('tallies', text, (column) => column.notNull())
    .addColumn('error', text)
    .addColumn('actor', text, (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('finished_at', bigint)
    .addColumn('lease_owner', text)
    .addColumn('lease_until', bigint, (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  await db.k.schema
    .createIndex('definition_jobs_state')
    .ifNotExists()
    .on('definition_jobs')
    .columns(['state', 'id'])
    .execute();
}
