import type { Transaction } from '../database.ts';

/**
 * Version 34: stores when the password of a user was set, so that one-time passwords expire. The time of existing ones
 * starts at the migration.
 */
export async function rememberPasswordTimes(db: Transaction): Promise<void> {
  const { bigint } = db.adapter.columnTypes;
  const columns = await db.adapter.tableColumns(db);
  const isThere = ({ table, column }: (typeof columns)[number]) =>
    table === 'users' && column === 'password_set_at';
  if (columns.some(isThere)) return;
  await db.k.schema.alterTable('users').addColumn('password_set_at', bigint).execute();
  await db.k
    .updateTable('users')
    .set({ password_set_at: Date.now() })
    .where('must_change_password', '=', 1)
    .execute();
}
