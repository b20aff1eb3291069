import { sql } from 'kysely';
import type { Transaction } from '../database.ts';
import type { ColumnTypes } from '../system-column-types.ts';

/** Version 1: all tables of the first release. */
export async function createSystemTables(db: Transaction): Promise<void> {
  const types = db.adapter.columnTypes;
  await createDefinitions(db, types);
  await createUsers(db, types);
  await createHistory(db, types);
  await createRecordCompanions(db, types);
}

async function createDefinitions(db: Transaction, types: ColumnTypes): Promise<void> {
  const { text, integer, bigint, counted, strict } = types;
  for (const [table, name] of [
    ['archives', 'table_name'],
    ['data_tables', 'name'],
  ] as const) {
    await db.k.schema
      .createTable(table)
      .addColumn('id', integer, counted)
      .addColumn('guid', text, (column) => column.notNull().unique())
      .addColumn(name, text, (column) => column.notNull())
      .addColumn('name_key', text, (column) => column.notNull().unique())
      .addColumn('position', integer, (column) => column.notNull())
      .addColumn('definition', text, (column) => column.notNull())
      .addColumn('retired_at', bigint)
      .modifyEnd(strict)
      .execute();
  }
}

async function createUsers(db: Transaction, types: ColumnTypes): Promise<void> {
  const { text, integer, bigint, counted, strict, strictByKey } = types;
  const { schema } = db.k;
  await schema
    .createTable('users')
    .addColumn('id', integer, counted)
    .addColumn('username', text, (column) => column.notNull())
    .addColumn('username_key', text, (column) => column.notNull().unique())
    .addColumn('display_name', text, (column) => column.notNull())
    .addColumn('role', text, (column) => column.notNull())
    .addColumn('password_hash', text, (column) => column.notNull())
    .addColumn('disabled', integer, (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('updated_at', bigint, (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  await schema
    .createTable('user_rights')
    .addColumn('user_id', integer, (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('thing_id', integer, (column) => column.notNull())
    .addColumn('access', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('user_rights_key', ['user_id', 'kind', 'thing_id'])
    .modifyEnd(strictByKey)
    .execute();
  await schema
    .createTable('sessions')
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('token_hash', text, (column) => column.notNull().unique())
    .addColumn('user_id', integer, (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('last_seen_at', bigint, (column) => column.notNull())
    .addColumn('expires_at', bigint, (column) => column.notNull())
    .addColumn('address', text)
    .modifyEnd(strict)
    .execute();
  await schema.createIndex('sessions_user').on('sessions').column('user_id').execute();
  await schema
    .createTable('devices')
    .addColumn('token_hash', text, (column) => column.primaryKey().notNull())
    .addColumn('user_id', integer, (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('last_used_at', bigint, (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  await schema.createIndex('devices_user').on('devices').column('user_id').execute();
  await schema
    .createTable('sign_in_failures')
    .addColumn('key', text, (column) => column.primaryKey().notNull())
    .addColumn('failures', integer, (column) => column.notNull())
    .addColumn('last_at', bigint, (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
}

async function createHistory(db: Transaction, types: ColumnTypes): Promise<void> {
  const { text, integer, bigint, counted, strict } = types;
  await db.k.schema
    .createTable('history')
    // SQLite's row ids have 64 bits in any case; on PostgreSQL 2^31 entries could be reached.
    .addColumn('id', bigint, counted)
    .addColumn('at', bigint, (column) => column.notNull())
    .addColumn('user_id', integer)
    .addColumn('username', text, (column) => column.notNull())
    .addColumn('address', text)
    .addColumn('call', text, (column) => column.notNull())
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('thing_id', integer, (column) => column.notNull())
    .addColumn('row_id', bigint, (column) => column.notNull())
    .addColumn('version', integer, (column) => column.notNull())
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('changes', text, (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  await db.k.schema
    .createIndex('history_row')
    .on('history')
    .columns(['scope', 'thing_id', 'row_id', 'id'])
    .execute();
  await protectHistory(db);
}

/** Entries of the history can be neither changed nor deleted, by any statement. */
async function protectHistory(db: Transaction): Promise<void> {
  if (db.adapter.dialect === 'sqlite') {
    await sql`create trigger history_keeps_entries before update on history
      begin select raise(abort, 'history is append-only'); end`.execute(db.k);
    await sql`create trigger history_keeps_all before delete on history
      begin select raise(abort, 'history is append-only'); end`.execute(db.k);
    return;
  }
  await sql`create function history_is_append_only() returns trigger language plpgsql as
    $$ begin raise exception 'history is append-only'; end $$`.execute(db.k);
  await sql`create trigger history_keeps_entries before update or delete on history
    for each row execute function history_is_append_only()`.execute(db.k);
  await sql`create trigger history_keeps_all before truncate on history
    for each statement execute function history_is_append_only()`.execute(db.k);
}

async function createRecordCompanions(db: Transaction, types: ColumnTypes): Promise<void> {
  const { text, integer, bigint, counted, strict, strictByKey } = types;
  const { schema } = db.k;
  await schema
    .createTable('idempotency')
    .addColumn('user_id', integer, (column) => column.notNull())
    .addColumn('method', text, (column) => column.notNull())
    .addColumn('path', text, (column) => column.notNull())
    .addColumn('key', text, (column) => column.notNull())
    .addColumn('fingerprint', text, (column) => column.notNull())
    .addColumn('status', integer, (column) => column.notNull())
    .addColumn('headers', text, (column) => column.notNull())
    .addColumn('body', text)
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_key', ['user_id', 'method', 'path', 'key'])
    .modifyEnd(strict)
    .execute();
  await schema.createIndex('idempotency_created').on('idempotency').column('created_at').execute();
  await schema
    .createTable('files')
    .addColumn('id', integer, counted)
    .addColumn('archive_id', integer, (column) => column.notNull())
    .addColumn('row_id', bigint, (column) => column.notNull())
    .addColumn('position', integer, (column) => column.notNull())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('content_type', text, (column) => column.notNull())
    .addColumn('size', bigint, (column) => column.notNull())
    .addColumn('sha256', text, (column) => column.notNull())
    .addColumn('location', text, (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  await schema.createIndex('files_row').on('files').columns(['archive_id', 'row_id']).execute();
  await schema
    .createTable('loaded_rows')
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('thing_id', integer, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('digest', text, (column) => column.notNull())
    .addColumn('occurrence', integer, (column) => column.notNull())
    .addColumn('row_id', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('loaded_rows_key', [
      'scope',
      'thing_id',
      'source',
      'digest',
      'occurrence',
    ])
    .modifyEnd(strictByKey)
    .execute();
  await schema
    .createTable('loaded_files')
    .addColumn('scope', text, (column) => column.notNull())
    .addColumn('thing_id', integer, (column) => column.notNull())
    .addColumn('source', text, (column) => column.notNull())
    .addColumn('digest', text, (column) => column.notNull())
    .addColumn('loaded_at', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('loaded_files_key', ['scope', 'thing_id', 'source', 'digest'])
    .modifyEnd(strictByKey)
    .execute();
}
