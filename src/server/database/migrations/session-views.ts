import type { Transaction } from '../database.ts';

/** The sessions of administrators that view the service as another user. */
export async function createSessionViews(db: Transaction): Promise<void> {
  const { text, integer, bigint, strict } = db.adapter.columnTypes;
  await db.k.schema
    .createTable('session_views')
    .ifNotExists()
    .addColumn('session_id', text, (column) =>
      column.primaryKey().notNull().references('sessions.id').onDelete('cascade'),
    )
    .addColumn('user_id', integer, (column) =>
      column.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('started_at', bigint, (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
}
