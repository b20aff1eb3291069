import { READ_COMMITTED, type Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { Definitions } from '../definitions/definitions.service.ts';
import { countedChecks } from './check-reconciliation.ts';
import * as store from './check-states.store.ts';
import type { CountingContext } from './counting-lease.ts';
import {
  exceedsFollowLimit,
  followRecords,
  readEntriesToFollow,
  recordsWrittenBy,
  type FollowedRecords,
  type RecordsToFollow,
} from './follow-records.ts';
import { publishCount, storeChanges, type CountedCheck } from './recount-check.ts';

/** A check that is evaluated for all records. */
export interface Recount {
  readonly collection: Collection;
  readonly counted: CountedCheck;
  /** the position in the history when it started: later entries are followed for it once it has ended */
  readonly position: number;
  /** the number of findings; null: another process counts now, or the service ends */
  readonly result: Promise<number | null>;
  /** resolves when `result` is settled */
  readonly ended: Promise<true>;
  /** whether a table in which it looks up values has changed since */
  isOutdated: boolean;
}

/** The entries of the history since a position, for one check. */
interface NextEntries {
  readonly collection: Collection;
  readonly counted: CountedCheck;
  readonly isTooFarBehind: boolean;
  /** the position of the last of them */
  readonly upTo: number;
  readonly written: Pick<RecordsToFollow, 'ids' | 'authors'>;
}

/**
 * Follows the entries of the history since a recount started, for its check alone, and publishes the count.
 * @param count the findings when it started
 * @returns `check removed`: the check is no longer defined; `incomplete`: it stays due, and is counted again
 */
export async function publishRecount(
  context: CountingContext,
  definitions: Definitions,
  recount: Recount,
  count: number,
): Promise<'ended' | 'check removed' | 'incomplete'> {
  const { database, signal } = context;
  let { position } = recount;
  let found = count;
  for (let isPublished = false; !isPublished && !signal.aborted;) {
    const next = await database.read((db) => readNext(db, definitions, recount, position));
    if (!next) return 'check removed';
    if (next.isTooFarBehind) return 'incomplete';
    const { collection, counted, written } = next;
    const followed =
      written.ids.length > 0
        ? await followRecords(context, [{ collection, counted: [counted], ...written }])
        : [];
    const stored = await storeNext(context, recount, next, followed, found);
    if (!stored) return 'incomplete';
    position = next.upTo;
    ({ found, isPublished } = stored);
  }
  return 'ended';
}

/** @returns null if the check is no longer defined */
async function readNext(
  db: Transaction,
  definitions: Definitions,
  { collection: { kind, id }, counted: { state } }: Recount,
  position: number,
): Promise<NextEntries | null> {
  const collection = await definitions.findById(db, kind, id);
  const states = await store.readCheckStates(db, { kind, id });
  const current = states.filter((candidate) => candidate.id === state.id);
  const [counted] = collection ? countedChecks(collection, current) : [];
  if (!collection || !counted) return null;
  const { entries, upTo } = await readEntriesToFollow(db, position);
  const own = entries.filter((entry) => entry.scope === kind && entry.collectionId === id);
  const written = recordsWrittenBy(own);
  return { collection, counted, isTooFarBehind: exceedsFollowLimit(own), upTo, written };
}

/**
 * Stores the followed changes, and publishes the count once the check has reached the position of all others.
 * @returns undefined if another process has the lease now
 */
async function storeNext(
  { database, lease }: CountingContext,
  recount: Recount,
  { collection, counted, upTo }: NextEntries,
  followed: readonly FollowedRecords[],
  before: number,
): Promise<{ readonly found: number; readonly isPublished: boolean } | undefined> {
  return database.write(async (db) => {
    const worker = await lease.renew(db);
    if (!worker) return undefined;
    let found = before;
    for (const { changes } of followed) {
      for (const change of changes) found += await storeChanges(db, collection, change);
    }
    const isPublished = upTo >= worker.position;
    if (isPublished) await publishCount(db, collection, counted, found, recount.isOutdated);
    return { found, isPublished };
  }, READ_COMMITTED);
}
