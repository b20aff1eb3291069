import { sql } from 'kysely';
import type { Transaction } from '../database.ts';

/** The second factors of users, and when the user of a session last proved their identity. */
export async function createSecondFactors(db: Transaction): Promise<void> {
  const { text, integer, bigint, strict, strictByKey } = db.adapter.columnTypes;
  const { schema } = db.k;
  await schema
    .createTable('totp_secrets')
    .ifNotExists()
    .addColumn('user_id', integer, (column) =>
      column.primaryKey().notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('factor_id', text, (column) => column.notNull().unique())
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('secret', text, (column) => column.notNull())
    .addColumn('last_step', bigint, (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('last_used_at', bigint)
    .modifyEnd(strict)
    .execute();
  await schema
    .createTable('passkeys')
    .ifNotExists()
    .addColumn('factor_id', text, (column) => column.primaryKey().notNull())
    .addColumn('user_id', integer, (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('name', text, (column) => column.notNull())
    .addColumn('credential_id', text, (column) => column.notNull().unique())
    .addColumn('public_key', text, (column) => column.notNull())
    .addColumn('counter', bigint, (column) => column.notNull())
    .addColumn('transports', text, (column) => column.notNull())
    .addColumn('created_at', bigint, (column) => column.notNull())
    .addColumn('last_used_at', bigint)
    .modifyEnd(strict)
    .execute();
  await schema
    .createIndex('passkeys_user')
    .ifNotExists()
    .on('passkeys')
    .column('user_id')
    .execute();
  await schema
    .createTable('recovery_codes')
    .ifNotExists()
    .addColumn('user_id', integer, (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('digest', text, (column) => column.notNull())
    .addColumn('salt', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('recovery_codes_key', ['user_id', 'digest'])
    .modifyEnd(strictByKey)
    .execute();
  await schema
    .createTable('used_challenges')
    .ifNotExists()
    .addColumn('digest', text, (column) => column.primaryKey().notNull())
    .addColumn('expires_at', bigint, (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  const columns = await db.adapter.tableColumns(db);
  if (columns.some(({ table, column }) => table === 'sessions' && column === 'confirmed_at')) {
    return;
  }
  await schema.alterTable('sessions').addColumn('confirmed_at', bigint).execute();
  await sql`update sessions set confirmed_at = created_at`.execute(db.k);
}
