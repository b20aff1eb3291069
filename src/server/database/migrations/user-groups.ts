import { sql } from 'kysely';
import type { Transaction } from '../database.ts';
import type { ColumnTypes } from '../system-column-types.ts';

/** Groups of users, rights by field, and what administrators see of users and sessions. */
export async function createUserGroups(db: Transaction): Promise<void> {
  const types = db.adapter.columnTypes;
  const { text, bigint, integer } = types;
  const known = new Set(
    (await db.adapter.tableColumns(db)).map(({ table, column }) => `${table} ${column}`),
  );
  for (const [table, column, type] of [
    ['users', 'email', text],
    ['users', 'must_change_password', integer],
    ['users', 'last_sign_in_at', bigint],
    ['users', 'deleted_at', bigint],
    ['user_rights', 'fields', text],
    ['sessions', 'client', text],
  ] as const) {
    if (known.has(`${table} ${column}`)) continue;
    await db.k.schema
      .alterTable(table)
      .addColumn(column, type, (built) =>
        column === 'must_change_password' ? built.notNull().defaultTo(0) : built,
      )
      .execute();
  }
  await sql`update users set last_sign_in_at = (
    select max(at) from history where scope = 'session' and thing_id = 0 and row_id = users.id and kind = 'create'
      and call <> 'upgrade')`.execute(db.k);
  await createGroupTables(db, types);
}

async function createGroupTables(
  db: Transaction,
  { text, integer, counted, strict, strictByKey }: ColumnTypes,
): Promise<void> {
  const { schema } = db.k;
  await schema
    .createTable('user_groups')
    .ifNotExists()
    .addColumn('id', integer, counted)
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('name_key', text, (column) => column.notNull().unique())
    .addColumn('label', text, (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  await schema
    .createTable('group_members')
    .ifNotExists()
    .addColumn('user_id', integer, (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('group_id', integer, (column) =>
      column.notNull().references('user_groups.id').onDelete('cascade'),
    )
    .addPrimaryKeyConstraint('group_members_key', ['user_id', 'group_id'])
    .modifyEnd(strictByKey)
    .execute();
  await schema
    .createIndex('group_members_group')
    .ifNotExists()
    .on('group_members')
    .column('group_id')
    .execute();
  await schema
    .createTable('group_rights')
    .ifNotExists()
    .addColumn('group_id', integer, (column) =>
      column.notNull().references('user_groups.id').onDelete('cascade'),
    )
    .addColumn('kind', text, (column) => column.notNull())
    .addColumn('thing_id', integer, (column) => column.notNull())
    .addColumn('access', text, (column) => column.notNull())
    .addColumn('fields', text)
    .addPrimaryKeyConstraint('group_rights_key', ['group_id', 'kind', 'thing_id'])
    .modifyEnd(strictByKey)
    .execute();
}
