import type { Transaction } from '../database.ts';

/**
 * Version 9: a block stores a mark for each of its entries, so that an altered entry can be named. Older blocks have no
 * marks.
 */
export async function addEntryMarks(db: Transaction): Promise<void> {
  const { text } = db.adapter.columnTypes;
  await db.k.schema.alterTable('history_blocks').addColumn('marks', text).execute();
}
