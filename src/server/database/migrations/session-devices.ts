import type { Transaction } from '../database.ts';

/**
 * Version 17: the browser in which a session began, so that the next sign-in in it ends the old session, even if its
 * cookie is lost. Older sessions have no browser.
 */
export async function linkSessionsToDevices(db: Transaction): Promise<void> {
  const { text, strict } = db.adapter.columnTypes;
  await db.k.schema
    .createTable('session_devices')
    .ifNotExists()
    .addColumn('session_id', text, (column) =>
      column.primaryKey().notNull().references('sessions.id').onDelete('cascade'),
    )
    .addColumn('device_hash', text, (column) => column.notNull())
    .modifyEnd(strict)
    .execute();
  await db.k.schema
    .createIndex('session_devices_device')
    .ifNotExists()
    .on('session_devices')
    .column('device_hash')
    .execute();
}
