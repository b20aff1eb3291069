import type { Collection } from '#server/database/records/collection.ts';
import * as reads from './checks.reads.ts';
import type { CountingContext } from './counting-lease.ts';
import type { CheckChanges } from './find-changes.ts';
import type { CountedCheck } from './recount-check.ts';
import { isOnPages, replaceMisses } from '../page-texts/page-misses.ts';

/** Records that were created, changed or deleted. */
export interface FollowedRecords {
  readonly collection: Collection;
  /** the checks whose findings may have changed */
  readonly counted: readonly CountedCheck[];
  readonly ids: readonly number[];
  /** the id of the user who has written each record, 0: unknown; null: the records were not written, something else has changed */
  readonly authors: ReadonlyMap<number, number> | null;
}

/** Such records, with the changes of findings to store. */
export interface Followed extends FollowedRecords {
  readonly changes: readonly CheckChanges[];
}

/**
 * Evaluates checks again for records. It reads outside the writes, so that no write waits for it. It stores which values
 * are not on the pages of documents, because rules read that.
 */
export async function followRecords(
  { database, lease, signal }: CountingContext,
  records: readonly FollowedRecords[],
): Promise<Followed[]> {
  const background = { signal, isBackground: true };
  const followed: Followed[] = [];
  for (const one of records) {
    const { collection, counted, ids, authors } = one;
    const refs = counted.map(({ state, check }) => ({ checkId: state.id, name: check.name }));
    const changes = await lease.during(async () => {
      const documents = await database.read(
        (db) => reads.withOtherRevisions(db, collection, ids),
        background,
      );
      for (const { check } of counted) {
        if (!isOnPages(check)) continue;
        const affected = [...documents.keys()];
        const misses = await database.read(
          (db) => reads.findPageMisses(db, collection, check, affected),
          background,
        );
        await database.write((db) => replaceMisses(db, collection, affected, misses), 'row locks');
      }
      return database.read(
        (db) => reads.findChanges(db, collection, refs, documents, authors),
        background,
      );
    });
    followed.push({ ...one, changes });
  }
  return followed;
}
