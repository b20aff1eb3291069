import type { Transaction } from '#server/database/database.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { equalityKey, type Scalar } from '#shared/values.ts';
import { readChangedSince } from '../history/history.service.ts';

/**
 * A write of records that is computed and checked. On SQLite others wait for a transaction that writes, so a large
 * batch is planned on a snapshot before it; in the transaction `isUpToDate` tells whether that still holds.
 */
export interface WritePlan<Written> {
  readonly collection: Collection;
  /** the newest entry of the history in the snapshot; 0 where the plan is for one record, and written at once */
  readonly newest: number;
  /** the existing records that it depends on */
  readonly ids: ReadonlySet<number>;
  /** the values that it gives to unique columns, as `equalityKey`, by the place of the column */
  readonly taken: ReadonlyMap<number, ReadonlySet<Scalar>>;
  /** whether it is refused, so that nothing is to be written */
  readonly refused: boolean;
  /** @throws {ApiError} with what is wrong with its entries */
  throwIfRefused(): void;
  /** Writes it, in a transaction that may be run again. */
  write(db: Transaction): Promise<Written>;
}

/** Beyond so many changes by others a plan is made anew. */
const MOST_CHANGES = 1_000;

/**
 * Whether a plan would be made the same in this transaction: every change of a record, and of its lock, has an entry
 * in the history, and on SQLite the ids of entries are in the order of the commits. Sessions and rights are checked apart.
 */
export async function isUpToDate(
  db: Transaction,
  collection: Collection,
  plan: Omit<WritePlan<unknown>, 'write'>,
): Promise<boolean> {
  // The definition was changed meanwhile.
  if (plan.collection !== collection) return false;
  const changed = await readChangedSince(db, collection, plan.newest, MOST_CHANGES + 1);
  if (changed.length === 0) return true;
  if (plan.refused || changed.length > MOST_CHANGES || changed.some((id) => plan.ids.has(id))) {
    return false;
  }
  if (plan.taken.size === 0) return true;
  const records = await readRecords(db, collection, changed);
  for (const { values } of records.values()) {
    for (const [place, taken] of plan.taken) {
      const [field, value] = [collection.fields[place], values[place] ?? null];
      if (field && value !== null && taken.has(equalityKey(field.type, value))) return false;
    }
  }
  return true;
}
