import type { Transaction } from '../database.ts';

/** Tokens by which programs call the service. */
export async function createAccessTokens(db: Transaction): Promise<void> {
  const { text, integer, bigint, strict } = db.adapter.columnTypes;
  const { schema } = db.k;
  await schema
    .createTable('access_tokens')
    .ifNotExists()
    .addColumn('id', text, (column) => column.primaryKey().notNull())
    .addColumn('token_hash', text, (column) => column.notNull().unique())
    .addColumn('user_id', integer, (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('prefix', text, (column) => column.notNull())
    .addColumn('access', text, (column) => column.notNull())
    .addColumn('archives', text)
    .addColumn('tables', text)
    .addColumn('configuration', integer, (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('expires_at', bigint, (column) => column.notNull())
    .addColumn('last_used_at', bigint)
    .modifyEnd(strict)
    .execute();
  await schema
    .createIndex('access_tokens_user')
    .ifNotExists()
    .on('access_tokens')
    .column('user_id')
    .execute();
}
