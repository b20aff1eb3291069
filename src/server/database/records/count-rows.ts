import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../database.ts';

/** Counts rows. @param from what follows `from` in a statement: a table, with its condition, or a subquery */
export async function countRows(db: Transaction, from: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${from}`.execute(
    db.k,
  );
  return rows[0]?.count ?? 0;
}
