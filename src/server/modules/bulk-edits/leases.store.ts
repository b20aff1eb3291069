import type { Transaction } from '#server/database/database.ts';
import { isFreeFor } from '#server/database/leases.ts';
import { type StoredBulkEdit, toBulkEdit } from './bulk-edits.store.ts';

/** The states of jobs that can run. */
const RUNNABLE = ['applying', 'undoing'] as const;

/** The id of the oldest job that can run and has no lease of another process. */
export async function findWork(
  db: Transaction,
  owner: string,
  now: number,
): Promise<number | undefined> {
  const row = await db.k
    .selectFrom('bulk_edits')
    .select('id')
    .where('state', 'in', RUNNABLE)
    .where(isFreeFor(owner, now))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

/**
 * Takes or renews the lease of a job, in the transaction that does a part of it.
 * @returns undefined if it is paused or finished, or another process has the lease
 */
export async function claim(
  db: Transaction,
  id: number,
  owner: string,
  now: number,
  until: number,
): Promise<StoredBulkEdit | undefined> {
  const row = await db.k
    .updateTable('bulk_edits')
    .set({ lease_owner: owner, lease_until: until })
    .where('id', '=', id)
    .where('state', 'in', RUNNABLE)
    .where(isFreeFor(owner, now))
    .returningAll()
    .executeTakeFirst();
  return row && toBulkEdit(row);
}
