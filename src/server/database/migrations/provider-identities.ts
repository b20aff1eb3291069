import type { Transaction } from '../database.ts';

/** Accounts of people at a provider (OpenID Connect), the provider's sessions, and values that may be used only once. */
export async function createProviderIdentities(db: Transaction): Promise<void> {
  const { text, integer, bigint, strict, strictByKey } = db.adapter.columnTypes;
  const { schema } = db.k;
  await schema
    .createTable('user_identities')
    .ifNotExists()
    .addColumn('issuer', text, (column) => column.notNull())
    .addColumn('subject', text, (column) => column.notNull())
    .addColumn('user_id', integer, (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('provider', text, (column) => column.notNull())
    .addColumn('username', text, (column) => column.notNull())
    .addColumn('username_key', text, (column) => column.notNull())
    .addColumn('seen_at', bigint)
    .addPrimaryKeyConstraint('user_identities_key', ['issuer', 'subject'])
    .modifyEnd(strictByKey)
    .execute();
  for (const [name, column, isUnique] of [
    ['user_identities_user', 'user_id', true],
    ['user_identities_username', 'username_key', false],
  ] as const) {
    const index = schema.createIndex(name).ifNotExists().on('user_identities').column(column);
    await (isUnique ? index.unique() : index).execute();
  }
  await schema
    .createTable('used_tokens')
    .ifNotExists()
    .addColumn('key', text, (column) => column.primaryKey().notNull())
    .addColumn('expires_at', bigint, (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  const columns = await db.adapter.tableColumns(db);
  if (columns.some(({ table, column }) => table === 'sessions' && column === 'provider_sid')) {
    return;
  }
  await schema.alterTable('sessions').addColumn('provider_sid', text).execute();
}
