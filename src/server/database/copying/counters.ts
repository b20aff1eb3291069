import { sql } from 'kysely';
import type { Transaction } from '../database.ts';
import type { TableShape } from './schema-introspection.ts';

/** The highest number that a table's counter has ever issued, also for a deleted row; null: none yet. */
export async function readCounter(
  db: Transaction,
  { name, counter }: TableShape,
): Promise<number | null> {
  if (counter === null) return null;
  const given = await db.adapter.readCounter(db, name, counter);
  const { rows } = await sql<{ highest: number | null }>`
    select max(${sql.ref(counter)}) as highest from ${sql.table(name)}`.execute(db.k);
  // SQLite writes 0 if no number was issued yet; the first number is 1.
  return Math.max(given ?? 0, rows[0]?.highest ?? 0) || null;
}

/** Sets a table's counter so that it continues after a number. */
export async function writeCounter(
  db: Transaction,
  { name, counter }: TableShape,
  given: number,
): Promise<void> {
  if (counter === null) throw new Error(`${name} has no counter.`);
  await db.adapter.writeCounter(db, name, counter, given);
}
