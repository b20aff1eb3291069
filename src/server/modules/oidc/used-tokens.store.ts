import { hash } from 'node:crypto';
import type { Transaction } from '#server/database/database.ts';

/**
 * Stores that a single-use value was used.
 * @param kind of the value
 * @param expiresAt when it expires in any case, milliseconds since 1970 UTC
 * @returns whether it is the first use
 */
export async function useOnce(
  db: Transaction,
  kind: 'state' | 'logout token',
  value: string,
  expiresAt: number,
): Promise<boolean> {
  const key = hash('sha256', JSON.stringify([kind, value]), 'base64url');
  const { numInsertedOrUpdatedRows } = await db.k
    .insertInto('used_tokens')
    .values({ key, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}
