import type { Transaction } from '../database.ts';

/** Version 9: a block tells its entries apart, so that an altered one can be named. Older blocks have no marks. */
export async function markEntries(db: Transaction): Promise<void> {
  const { text } = db.adapter.columnTypes;
  await db.k.schema.alterTable('history_blocks').addColumn('marks', text).execute();
}
