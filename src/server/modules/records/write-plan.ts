import type { Transaction } from '#server/database/database.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { tableName } from '#server/database/records/columns.ts';
import { fullCollectionOf } from '#server/database/records/collection-view.ts';
import type { EntryErrors } from '#shared/contract/errors.ts';
import { equalityKey } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { blockingLookups } from './blocking-checks.ts';
import { UNIQUE_COMBINATION } from './unique-columns.ts';
import {
  readChangedRecords,
  readNewestHistoryId,
} from '#server/database/records/changed-records.ts';

/**
 * A computed and checked write of records. On SQLite others wait for a write transaction, so a large batch is planned
 * on a snapshot before it. In the transaction `isPlanCurrent` checks that the plan is still valid.
 */
export interface WritePlan<Written> {
  readonly collection: Collection;
  /** the newest history entry in the snapshot; 0 for a plan of one record, which is written at once */
  readonly newestHistoryId: number;
  /** the existing records that it depends on */
  readonly recordIds: ReadonlySet<number>;
  /** the new values of unique columns, as `equalityKey`, by the position of the column among all columns */
  readonly uniqueValues: ReadonlyMap<number, ReadonlySet<Scalar>>;
  /** whether it was checked with the values that checks of severity `block` look up */
  readonly dependsOnLookups: boolean;
  /** whether it is rejected, so that nothing is written */
  readonly isRefused: boolean;
  /** @throws {ApiError} with the errors of its entries */
  throwIfRefused(): void;
  /** Writes it, in a transaction that may be retried. */
  write(db: Transaction): Promise<Written>;
}

/** What a plan depends on. */
type PlanBasis = Pick<
  WritePlan<unknown>,
  'collection' | 'newestHistoryId' | 'recordIds' | 'uniqueValues' | 'dependsOnLookups'
>;

/**
 * A plan of entries with these errors.
 * @param single whether the call is about one record, so that `current` is an object in a 412
 * @param write null: the plan is rejected
 */
export function createWritePlan<Written>(
  basis: PlanBasis,
  errors: EntryErrors,
  single: boolean,
  write: ((db: Transaction) => Promise<Written>) | null,
): WritePlan<Written> {
  return {
    ...basis,
    isRefused: errors.any,
    throwIfRefused: () => errors.throwIfAny(single),
    write(db) {
      if (!write) throw new Error('A refused plan cannot be written.');
      return write(db);
    },
  };
}

/** Writes a plan. @throws {ApiError} with the errors of all entries */
export function executePlan<Written>(db: Transaction, plan: WritePlan<Written>): Promise<Written> {
  plan.throwIfRefused();
  return plan.write(db);
}

/** The newest history entry for the plan of a call (`WritePlan.newestHistoryId`). */
export async function newestHistoryIdFor(
  db: Transaction,
  entries: readonly unknown[],
): Promise<number> {
  return entries.length > 1 ? readNewestHistoryId(db) : 0;
}

/** After more changes by others the batch is planned again. */
const MAX_CHANGES = 1_000;

/**
 * Whether a plan would be the same in this transaction: every change of a record, and of its lock, has a history entry, and on
 * SQLite the ids of entries are in the order of the commits. Sessions and rights are checked separately.
 */
export async function isPlanCurrent(
  db: Transaction,
  collection: Collection,
  plan: Omit<WritePlan<unknown>, 'write'>,
): Promise<boolean> {
  // The definition has changed.
  if (plan.collection !== collection) return false;
  const lookups = plan.dependsOnLookups ? blockingLookups(collection) : [];
  for (const table of new Map(lookups.map(({ table }) => [tableName(table), table])).values()) {
    const options = { limit: 1, ignoredKinds: ['lock'] } as const;
    const looked = await readChangedRecords(db, table, plan.newestHistoryId, options);
    if (looked.length > 0) return false;
  }
  const fullCollection = fullCollectionOf(collection);
  const limit = MAX_CHANGES + 1;
  const changed = await readChangedRecords(db, collection, plan.newestHistoryId, { limit });
  if (changed.length === 0) return true;
  if (
    plan.isRefused ||
    changed.length > MAX_CHANGES ||
    changed.some((id) => plan.recordIds.has(id))
  ) {
    return false;
  }
  if (plan.uniqueValues.size === 0) return true;
  if (plan.uniqueValues.has(UNIQUE_COMBINATION)) return false;
  const records = await readRecords(db, fullCollection, changed);
  for (const { values } of records.values()) {
    for (const [index, taken] of plan.uniqueValues) {
      const [field, value] = [fullCollection.fields[index], values[index] ?? null];
      if (field && value !== null && taken.has(equalityKey(field.type, value))) return false;
    }
  }
  return true;
}
