import type { Transaction } from '../database.ts';
import { columnTypes } from './column-types.ts';

/** Version 9: a block tells its entries apart, so that an altered one can be named. Older blocks have no marks. */
export async function markEntries(db: Transaction): Promise<void> {
  const { text } = columnTypes(db.dialect);
  await db.k.schema.alterTable('history_blocks').addColumn('marks', text).execute();
}
