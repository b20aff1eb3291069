import { sql } from 'kysely';
import type { Transaction } from '../database.ts';
import type { ColumnTypes } from '../system-column-types.ts';

/** Version 3: what clerks store beside the records: queues, flags and views. */
export async function createDeskTables(db: Transaction): Promise<void> {
  const types = db.adapter.columnTypes;
  await createQueues(db, types);
  await createFlagsAndViews(db, types);
  await createViewers(db);
}

async function createQueues(db: Transaction, types: ColumnTypes): Promise<void> {
  const { text, integer, bigint, counted, strict, strictByKey } = types;
  const { schema } = db.k;
  await schema
    .createTable('queues')
    .addColumn('id', integer, counted)
    .addColumn('archive_id', integer, (column) => column.notNull())
    .addColumn('user_id', integer, (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('filter', text)
    .addColumn('total', integer, (column) => column.notNull())
    .addColumn('position', integer, (column) => column.notNull())
    .addColumn('field', text)
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('used_at', bigint, (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  await schema
    .createIndex('queues_user')
    .on('queues')
    .columns(['user_id', 'archive_id', 'used_at'])
    .execute();
  await schema
    .createTable('queue_parts')
    .addColumn('queue_id', integer, (column) =>
      column.notNull().references('queues.id').onDelete('cascade'),
    )
    .addColumn('part', integer, (column) => column.notNull())
    .addColumn('row_ids', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('queue_parts_key', ['queue_id', 'part'])
    .modifyEnd(strict)
    .execute();
  await schema
    .createTable('queue_states')
    .addColumn('queue_id', integer, (column) =>
      column.notNull().references('queues.id').onDelete('cascade'),
    )
    .addColumn('row_id', bigint, (column) => column.notNull())
    .addColumn('state', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('queue_states_key', ['queue_id', 'row_id'])
    .modifyEnd(strictByKey)
    .execute();
  // Revisions deleted since a time: a queue no longer contains them.
  await sql`create index history_deletions on history (scope, thing_id, at) where kind = 'delete'`.execute(
    db.k,
  );
}

async function createFlagsAndViews(db: Transaction, types: ColumnTypes): Promise<void> {
  const { text, integer, bigint, counted, strict, strictByKey } = types;
  const { schema } = db.k;
  await schema
    .createTable('flags')
    .addColumn('user_id', integer, (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('archive_id', integer, (column) => column.notNull())
    .addColumn('row_id', bigint, (column) => column.notNull())
    .addColumn('note', text, (column) => column.notNull())
    .addColumn('at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('flags_key', ['user_id', 'archive_id', 'row_id'])
    .modifyEnd(strictByKey)
    .execute();
  await schema
    .createTable('views')
    .addColumn('id', integer, counted)
    .addColumn('archive_id', integer, (column) => column.notNull())
    .addColumn('user_id', integer, (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('name_key', text, (column) => column.notNull())
    .addColumn('shared', integer, (column) => column.notNull())
    .addColumn('search', text, (column) => column.notNull())
    .addUniqueConstraint('views_name', ['archive_id', 'user_id', 'name_key'])
    .modifyEnd(strict)
    .execute();
  await schema
    .createTable('last_views')
    .addColumn('archive_id', integer, (column) => column.notNull())
    .addColumn('user_id', integer, (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('search', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('last_views_key', ['archive_id', 'user_id'])
    .modifyEnd(strictByKey)
    .execute();
}

/** Only on PostgreSQL, where several processes serve. Unlogged, because the rows are not needed after a crash. */
async function createViewers(db: Transaction): Promise<void> {
  if (db.adapter.dialect === 'sqlite') return;
  await sql`create unlogged table viewers (
    archive_id integer not null, row_id bigint not null, session_id text not null,
    user_id integer not null, since bigint not null, seen_at bigint not null, editing integer not null,
    primary key (archive_id, row_id, session_id))`.execute(db.k);
}
