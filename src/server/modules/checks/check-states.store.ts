import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { isFreeFor, NO_LEASE } from '#server/database/leases.ts';
import { insertRows } from '#server/database/records/bulk.ts';
import type { Named } from '#server/database/records/columns.ts';
import type { CheckStateRow } from '#server/database/tables/check-result-tables.ts';

export type CheckState = Selectable<CheckStateRow>;

/** What is known of the checks of one archive or table, or of all. */
export function readStates(db: Transaction, collection: Named | null): Promise<CheckState[]> {
  let query = db.k.selectFrom('check_states').selectAll().orderBy('id');
  if (collection) {
    query = query.where('scope', '=', collection.kind).where('thing_id', '=', collection.id);
  }
  return query.execute();
}

/** Begins to count a check, or to count it again after it was changed. */
export async function beginState(
  db: Transaction,
  { kind, id }: Named,
  name: string,
  fingerprint: string,
): Promise<void> {
  await db.k
    .insertInto('check_states')
    .values({
      scope: kind,
      thing_id: id,
      name,
      fingerprint,
      count: null,
      found: 0,
      as_of: null,
      due_at: 0,
    })
    .execute();
}

export async function updateState(
  db: Transaction,
  id: number,
  changes: Partial<Pick<CheckState, 'count' | 'found' | 'as_of' | 'due_at'>>,
): Promise<void> {
  await db.k.updateTable('check_states').set(changes).where('id', '=', id).execute();
}

/** Forgets checks that are not there any more, with what was found. */
export async function deleteStates(db: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.k
    .deleteFrom('check_keys')
    .where('check_id', 'in', [...ids])
    .execute();
  await db.k
    .deleteFrom('check_findings')
    .where('check_id', 'in', [...ids])
    .execute();
  await db.k
    .deleteFrom('check_states')
    .where('id', 'in', [...ids])
    .execute();
}

/** The records that are stored as findings of a check. @param among only these; null: all */
export async function readFindings(
  db: Transaction,
  checkId: number,
  among: readonly number[] | null,
): Promise<number[]> {
  const these = among ? sql`and row_id ${db.adapter.isAmong(among)}` : sql``;
  const { rows } = await sql<{ id: number }>`
    select row_id as id from check_findings where check_id = ${checkId} ${these}`.execute(db.k);
  return rows.map(({ id }) => id);
}

/** Stores which findings were added and removed. */
export async function writeFindings(
  db: Transaction,
  checkId: number,
  { added, removed }: { readonly added: readonly number[]; readonly removed: readonly number[] },
): Promise<void> {
  if (removed.length > 0) {
    await sql`delete from check_findings
      where check_id = ${checkId} and row_id ${db.adapter.isAmong(removed)}`.execute(db.k);
  }
  const rows = added.map((id) => [checkId, id]);
  await insertRows(db, 'check_findings', ['check_id', 'row_id'], rows);
}

/** The one row that says how far the history was followed. */
export interface Worker {
  readonly position: number;
}

export async function readWorker(
  db: Transaction,
): Promise<
  (Worker & { readonly leaseOwner: string | null; readonly leaseUntil: number }) | undefined
> {
  const row = await db.k.selectFrom('check_worker').selectAll().executeTakeFirst();
  return (
    row && { position: row.position, leaseOwner: row.lease_owner, leaseUntil: row.lease_until }
  );
}

/**
 * Makes the counting this process's own for some time, inside the write that does a part of it.
 * @returns undefined where another process does it
 */
export async function claimWorker(
  db: Transaction,
  owner: string,
  now: number,
  until: number,
): Promise<Worker | undefined> {
  const row = await db.k
    .updateTable('check_worker')
    .set({ lease_owner: owner, lease_until: until })
    .where(isFreeFor(owner, now))
    .returningAll()
    .executeTakeFirst();
  return row && { position: row.position };
}

/** @param owner null: of whichever process, where there can be no other */
export async function releaseWorker(db: Transaction, owner: string | null): Promise<void> {
  let query = db.k.updateTable('check_worker').set(NO_LEASE);
  if (owner !== null) query = query.where('lease_owner', '=', owner);
  await query.execute();
}

export async function insertWorker(db: Transaction, position: number): Promise<void> {
  await db.k
    .insertInto('check_worker')
    .values({ id: 1, position, lease_owner: null, lease_until: 0 })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

export async function storePosition(db: Transaction, position: number): Promise<void> {
  await db.k.updateTable('check_worker').set({ position }).execute();
}
