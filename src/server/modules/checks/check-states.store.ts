import type { Selectable } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { isAvailableTo, leaseOf, NO_LEASE } from '#server/database/leases.ts';
import type { Check } from '#server/database/records/check.ts';
import type { CollectionRef } from '#server/database/records/columns.ts';
import type { CheckStateRow } from '#server/database/tables/check-result-tables.ts';

export type CheckState = Selectable<CheckStateRow>;

/** The states of the checks of one archive or table, or of all. */
export function readCheckStates(
  db: Transaction,
  collection: CollectionRef | null,
): Promise<CheckState[]> {
  let query = db.k.selectFrom('check_states').selectAll().orderBy('id');
  if (collection) {
    query = query.where('scope', '=', collection.kind).where('thing_id', '=', collection.id);
  }
  return query.execute();
}

/** The state of a check among those of its archive or table; undefined: it is new, or has changed since. */
export function stateOf(
  { name, fingerprint }: Check,
  states: readonly CheckState[],
): CheckState | undefined {
  return states.find((state) => state.name === name && state.fingerprint === fingerprint);
}

/** Starts counting a check, or counting it again after it was changed. */
export async function insertState(
  db: Transaction,
  { kind, id }: CollectionRef,
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

/** Stores that the counts of checks are up to date. @param now milliseconds since 1970 UTC */
export async function confirmStates(
  db: Transaction,
  ids: readonly number[],
  now: number,
): Promise<void> {
  if (ids.length === 0) return;
  await db.k
    .updateTable('check_states')
    .set({ as_of: now })
    .where('id', 'in', [...ids])
    .execute();
}

export async function updateState(
  db: Transaction,
  id: number,
  changes: Partial<Pick<CheckState, 'count' | 'found' | 'as_of' | 'due_at'>>,
): Promise<void> {
  await db.k.updateTable('check_states').set(changes).where('id', '=', id).execute();
}

/** Makes the checks of an archive or table due, without a count. */
export async function resetStates(db: Transaction, collection: CollectionRef): Promise<void> {
  await updateStatesOf(db, collection, { count: null, found: 0, due_at: 0 }).execute();
}

/** Makes checks of an archive or table due. */
export async function markDue(
  db: Transaction,
  collection: CollectionRef,
  names: readonly string[],
): Promise<void> {
  await updateStatesOf(db, collection, { due_at: 0 })
    .where('name', 'in', [...names])
    .execute();
}

/** No check has it. */
const NO_FINGERPRINT = '';

/**
 * Lets checks be counted as if they were new, also a check that is being counted: something has changed that is not
 * part of their fingerprints.
 */
export async function invalidateStates(
  db: Transaction,
  collection: CollectionRef,
  names: readonly string[],
): Promise<void> {
  const changes = { fingerprint: NO_FINGERPRINT };
  await updateStatesOf(db, collection, changes)
    .where('name', 'in', [...names])
    .execute();
}

function updateStatesOf(
  db: Transaction,
  { kind, id }: CollectionRef,
  changes: Partial<Pick<CheckState, 'fingerprint' | 'count' | 'found' | 'due_at'>>,
) {
  return db.k
    .updateTable('check_states')
    .set(changes)
    .where('scope', '=', kind)
    .where('thing_id', '=', id);
}

/** Deletes the states of checks that are no longer defined; their stored rows are deleted later (`findAbandoned`). */
export async function deleteStates(db: Transaction, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await db.k
    .deleteFrom('check_states')
    .where('id', 'in', [...ids])
    .execute();
}

/** The single row with the position up to which the history was followed. */
export function readCountingState(db: Transaction) {
  return db.k
    .selectFrom('check_worker')
    .select(['position', 'lease_owner as leaseOwner', 'lease_until as leaseUntil'])
    .executeTakeFirst();
}

/** Takes the lease of counting. @returns false if another process has it */
export async function claimWorkerLease(db: Transaction, owner: string): Promise<boolean> {
  const { numUpdatedRows } = await db.k
    .updateTable('check_worker')
    .set(leaseOf(owner))
    .where(isAvailableTo(owner))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Renews the lease of counting. @returns undefined if another process has taken it since */
export function renewCountingLease(db: Transaction, owner: string) {
  return db.k
    .updateTable('check_worker')
    .set(leaseOf(owner))
    .where('lease_owner', '=', owner)
    .returning('position')
    .executeTakeFirst();
}

export async function insertCountingState(db: Transaction, position: number): Promise<void> {
  await db.k
    .insertInto('check_worker')
    .values({ id: 1, position, ...NO_LEASE })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

export async function storePosition(db: Transaction, position: number): Promise<void> {
  await db.k.updateTable('check_worker').set({ position }).execute();
}
