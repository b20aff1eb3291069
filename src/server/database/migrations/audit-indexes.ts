import type { Transaction } from '../database.ts';

/**
 * The orders in which the audit is read: by time, by user, and by archive, table or other subject. Each ends with the
 * id, because all entries of a load may have the same time.
 */
const INDEXES = {
  history_time: ['at', 'id'],
  history_user: ['username', 'at', 'id'],
  history_subject: ['scope', 'thing_id', 'at', 'id'],
} as const;

/** Version 21: indexes of the history for the audit of all archives, tables, users and definitions. */
export async function indexAudit(db: Transaction): Promise<void> {
  for (const [name, columns] of Object.entries(INDEXES)) {
    // SQLite ends each index with the id by itself.
    const columnsOfKey =
      db.adapter.dialect === 'sqlite' ? columns.filter((name) => name !== 'id') : columns;
    await db.k.schema
      .createIndex(name)
      .ifNotExists()
      .on('history')
      .columns([...columnsOfKey])
      .execute();
  }
}
