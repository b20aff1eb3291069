import type { Transaction } from '../database.ts';

/** The findings of checks per day, and how many findings users have corrected. */
export async function createDailyFindings(db: Transaction): Promise<void> {
  const { text, integer, bigint, strictByKey } = db.adapter.columnTypes;
  await db.k.schema
    .createTable('daily_findings')
    .ifNotExists()
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('thing_id', integer, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('day', text, (column) => column.notNull())
    .addColumn('count', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('daily_findings_key', ['scope', 'thing_id', 'name', 'day'])
    .modifyEnd(strictByKey)
    .execute();
  await db.k.schema
    .createTable('daily_corrections')
    .ifNotExists()
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('thing_id', integer, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('day', text, (column) => column.notNull())
    .addColumn('user_id', integer, (column) => column.notNull())
    .addColumn('count', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('daily_corrections_key', [
      'scope',
      'thing_id',
      'name',
      'day',
      'user_id',
    ])
    .modifyEnd(strictByKey)
    .execute();
}
