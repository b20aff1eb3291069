import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { isFreeFor, NO_LEASE } from '#server/database/leases.ts';
import { insertRows } from '#server/database/records/bulk.ts';
import type { Named } from '#server/database/records/columns.ts';
import type { CheckStateRow } from '#server/database/tables/check-result-tables.ts';

export type CheckState = Selectable<CheckStateRow>;

/** The states of the checks of one archive or table, or of all. */
export function readStates(db: Transaction, collection: Named | null): Promise<CheckState[]> {
  let query = db.k.selectFrom('check_states').selectAll().orderBy('id');
  if (collection) {
    query = query.where('scope', '=', collection.kind).where('thing_id', '=', collection.id);
  }
  return query.execute();
}

/** Starts counting a check, or counting it again after it was changed. */
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

/** Deletes the states and findings of removed checks. */
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

/** The stored findings of a check. @param among only these records; null: all */
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

/** The single row with the position in the history. */
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
 * Takes or renews the lease of counting, in the transaction that does a part of it.
 * @returns undefined if another process has it
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

/** @param owner null: of any process, if there can be no other */
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
