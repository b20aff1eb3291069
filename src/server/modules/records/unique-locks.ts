import { hash } from 'node:crypto';
import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';

/** The number of locks of each archive or table: a batch takes at most this many, whatever it writes. */
const LOCKS = 256n;
/** Far from the other advisory locks of this program. */
const FIRST = 5_000_000_000_000_000_000n;

/**
 * Serializes writes of equal values of unique columns if writes run concurrently (PostgreSQL): the second one then
 * finds the value of the first.
 * @param fieldIndexes of the columns
 */
export async function lockValues(
  db: Transaction,
  { kind, id }: Collection,
  fieldIndexes: readonly number[],
  values: readonly unknown[],
): Promise<void> {
  if (!db.adapter.isShared || !db.isWrite) return;
  const numbers = new Set(
    values.map((value) => {
      const text = JSON.stringify([fieldIndexes, value]);
      const digest = hash('sha256', text, 'buffer');
      return BigInt(digest.readUInt32BE(0)) % LOCKS;
    }),
  );
  const first = FIRST + (BigInt(id) * 2n + (kind === 'archive' ? 0n : 1n)) * LOCKS;
  // In a fixed order, so that two batches cannot deadlock.
  const ordered = [...numbers].toSorted((a, b) => (a < b ? -1 : 1));
  for (const number of ordered) await db.adapter.lockNumber(db, String(first + number));
}
