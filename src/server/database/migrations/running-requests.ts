import type { Transaction } from '../database.ts';

/** The leases of requests with an idempotency key that work in transactions of their own. */
export async function createRunningRequests(db: Transaction): Promise<void> {
  const { text, integer, bigint, strict } = db.adapter.columnTypes;
  await db.k.schema
    .createTable('running_requests')
    .ifNotExists()
    .addColumn('user_id', integer, (column) => column.notNull())
    .addColumn('request', text, (column) => column.notNull())
    .addColumn('lease_owner', text, (column) => column.notNull())
    .addColumn('lease_until', bigint, (column) => column.notNull())
    .addPrimaryKeyConstraint('running_requests_key', ['user_id', 'request'])
    .modifyEnd(strict)
    .execute();
}
