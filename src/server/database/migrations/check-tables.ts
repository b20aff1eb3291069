import type { Transaction } from '../database.ts';

/** Version 29: the state of checks that the background work stores, and the exceptions made by users. */
export async function createCheckTables(db: Transaction): Promise<void> {
  const { text, integer, bigint, counted, strict, strictByKey } = db.adapter.columnTypes;
  await db.k.schema
    .createTable('check_states')
    .ifNotExists()
    .addColumn('id', integer, counted)
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('thing_id', integer, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('fingerprint', text, (column) => column.notNull())
    .addColumn('count', bigint)
    .addColumn('found', bigint, (column) => column.notNull())
    .addColumn('as_of', bigint)
    .addColumn('due_at', bigint, (column) => column.notNull())
    .addUniqueConstraint('check_states_name', ['scope', 'thing_id', 'name'])
    .modifyEnd(strict)
    .execute();
  await db.k.schema
    .createTable('check_findings')
    .ifNotExists()
    .addColumn('check_id', integer, (column) => column.notNull())
    .addColumn('row_id', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('check_findings_key', ['check_id', 'row_id'])
    .modifyEnd(strictByKey)
    .execute();
  await db.k.schema
    .createTable('check_keys')
    .ifNotExists()
    .addColumn('check_id', integer, (column) => column.notNull())
    .addColumn('part', integer, (column) => column.notNull())
    .addColumn('key', bigint, (column) => column.notNull())
    .addColumn('row_id', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('check_keys_key', ['check_id', 'part', 'key', 'row_id'])
    .modifyEnd(strictByKey)
    .execute();
  await db.k.schema
    .createIndex('check_keys_row')
    .ifNotExists()
    .on('check_keys')
    .columns(['check_id', 'row_id'])
    .execute();
  await db.k.schema
    .createTable('check_exceptions')
    .ifNotExists()
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('thing_id', integer, (column) => column.notNull())
    .addColumn('row_id', bigint, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('with_id', bigint, (column) => column.notNull())
    .addColumn('fields', text, (column) => column.notNull())
    .addColumn('reason', text, (column) => column.notNull())
    .addColumn('made_by', text, (column) => column.notNull())
    .addColumn('made_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('check_exceptions_key', [
      'scope',
      'thing_id',
      'row_id',
      'name',
      'with_id',
    ])
    .modifyEnd(strictByKey)
    .execute();
  await db.k.schema
    .createTable('check_measures')
    .ifNotExists()
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('thing_id', integer, (column) => column.notNull())
    .addColumn('field', integer, (column) => column.notNull())
    .addColumn('value', text, (column) => column.notNull())
    .addColumn('low', text)
    .addColumn('high', text)
    .addPrimaryKeyConstraint('check_measures_key', ['scope', 'thing_id', 'field', 'value'])
    .modifyEnd(strictByKey)
    .execute();
  await db.k.schema
    .createTable('check_worker')
    .ifNotExists()
    .addColumn('id', integer, (column) => column.primaryKey().notNull())
    .addColumn('position', bigint, (column) => column.notNull())
    .addColumn('lease_owner', text)
    .addColumn('lease_until', bigint, (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
}
