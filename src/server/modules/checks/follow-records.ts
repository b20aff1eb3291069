import { READ_COMMITTED, type Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import {
  readLastPosition,
  readSequencedEntries,
  type SequencedEntries,
  type SequencedEntry,
} from '../history/history.service.ts';
import * as store from './check-states.store.ts';
import {
  findChangesInWorker,
  findPageMissesInWorker,
  withOtherRevisionsInWorker,
} from './checks.reads.ts';
import type { CountingContext } from './counting-lease.ts';
import type { CheckChanges } from './find-changes.ts';
import { storeChanges, storeCount, type CountedCheck } from './recount-check.ts';
import { isOnPages, replaceMisses } from '../page-texts/page-misses.ts';

/** Entries of the history that one write follows. */
const ENTRY_BATCH_SIZE = 500;
/** If more entries wait, the archive or table that has written most of them is checked again as a whole instead. */
const MAX_FOLLOWED_ENTRIES = 10_000;

/** Records that were created, changed or deleted, whose checks are evaluated again. */
export interface RecordsToFollow {
  readonly collection: Collection;
  /** the checks whose findings may have changed */
  readonly counted: readonly CountedCheck[];
  readonly ids: readonly number[];
  /** the id of the user who has written each record, 0: unknown; null: the records were not written, something else has changed */
  readonly authors: ReadonlyMap<number, number> | null;
}

/** Records that were evaluated again, with the changes of findings to store. */
export interface FollowedRecords extends RecordsToFollow {
  readonly changes: readonly CheckChanges[];
}

/**
 * Reads the entries of the history that are followed next. Many are read together only where most are of one archive or table:
 * the other ones are followed in one write.
 */
export async function readEntriesToFollow(
  db: Transaction,
  position: number,
): Promise<SequencedEntries & { readonly isLast: boolean }> {
  const last = await readLastPosition(db);
  const isFarBehind = last - position > MAX_FOLLOWED_ENTRIES;
  const limit = isFarBehind ? MAX_FOLLOWED_ENTRIES : ENTRY_BATCH_SIZE;
  let { entries, upTo } = await readSequencedEntries(db, position, limit);
  const bySubject = Map.groupBy(entries, ({ scope, collectionId }) => `${scope} ${collectionId}`);
  if (isFarBehind && ![...bySubject.values()].some(exceedsFollowLimit)) {
    entries = entries.slice(0, ENTRY_BATCH_SIZE);
    upTo = entries.at(-1)?.position ?? upTo;
  }
  return { entries, upTo, isLast: upTo >= last };
}

/** Whether an archive or table has so many of the next entries that it is checked again as a whole instead. */
export function exceedsFollowLimit(ofCollection: readonly SequencedEntry[]): boolean {
  return ofCollection.length > MAX_FOLLOWED_ENTRIES / 2;
}

/**
 * Evaluates checks again for records. It reads outside the writes, so that no write waits for it. It stores which values
 * are not on the pages of documents, because rules read that.
 */
export async function followRecords(
  { database, lease, signal }: CountingContext,
  records: readonly RecordsToFollow[],
): Promise<FollowedRecords[]> {
  const background = { signal, isBackground: true };
  const followed: FollowedRecords[] = [];
  for (const written of records) {
    const { collection, counted, ids, authors } = written;
    const refs = counted.map(({ state, check }) => ({ checkId: state.id, name: check.name }));
    const changes = await lease.withRenewal(async () => {
      const documents = await database.read(
        (db) => withOtherRevisionsInWorker(db, collection, ids),
        background,
      );
      for (const { check } of counted) {
        if (!isOnPages(check)) continue;
        const affected = [...documents.keys()];
        const misses = await database.read(
          (db) => findPageMissesInWorker(db, collection, check, affected),
          background,
        );
        await database.write(
          (db) => replaceMisses(db, collection, affected, misses),
          READ_COMMITTED,
        );
      }
      return database.read(
        (db) => findChangesInWorker(db, collection, refs, { documents, authors }),
        background,
      );
    });
    followed.push({ ...written, changes });
  }
  return followed;
}

/** The records that entries of the history have written, and the author of each. */
export function recordsWrittenBy(
  entries: readonly Pick<SequencedEntry, 'rowId' | 'userId'>[],
): Pick<RecordsToFollow, 'ids' | 'authors'> {
  return {
    ids: [...new Set(entries.map(({ rowId }) => rowId))],
    authors: new Map(entries.map(({ rowId, userId }) => [rowId, userId ?? 0])),
  };
}

/** Stores the changes of findings, and that the counts are up to date. */
export async function storeFollowed(
  db: Transaction,
  followed: readonly FollowedRecords[],
): Promise<void> {
  const now = Date.now();
  for (const { collection, counted, changes } of followed) {
    for (const change of changes) {
      const state = counted.find(({ state: { id } }) => id === change.checkId)?.state;
      if (!state) continue;
      const difference = await storeChanges(db, collection, change);
      const [{ added, removed }] = change.rows;
      if (added.length + removed.length === 0) continue;
      await storeCount(db, collection, change, { count: state.found + difference }, now);
    }
    const ids = counted.map(({ state }) => state.id);
    await store.confirmStates(db, ids, now);
  }
}
