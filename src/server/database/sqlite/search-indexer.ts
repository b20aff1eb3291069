import type { WarningLog } from '#server/lib/warning-log.ts';
import { BackgroundLoop, pause, UNTIL_WOKEN } from '#server/lib/background-loop.ts';
import {
  READ_COMMITTED,
  type Database,
  type SearchIndexer,
  type Transaction,
} from '../database.ts';
import { searchTable, type CollectionRef } from '../records/columns.ts';
import { AdaptiveSize } from '../adaptive-size.ts';
import {
  findOutdatedIndex,
  hasSearchTable,
  indexNextRecords,
  mergeSearch,
} from './search-index.ts';

/** The target time of one part in milliseconds, and its initial and maximum number of records. */
const PART = { targetTime: 8, initialSize: 8, maxSize: 500 } as const;
/**
 * The pause after a part, as a multiple of the part's time. While others write the pause has a minimum in milliseconds,
 * because each part makes them wait for a separate commit, and a small part costs almost as much as a large one. If few
 * records are due, the pause may be longer, so that a burst of saves is indexed after it (during the burst, indexing
 * took a quarter of the processor). A search tests each record that is due, at some 4 µs each; if many are due, parts
 * and other writes alternate.
 */
const PAUSE = { alone: 0.5, amongOthers: 6, late: 1 } as const;
const MIN_PAUSE = { fewDue: 1_000, moreDue: 60 } as const;
const FEW_DUE = 4_000;
const MANY_DUE = 20_000;
/** The target time of a merge in milliseconds, and its initial and maximum number of written pages. */
const MERGE = { targetTime: 20, initialSize: 16, maxSize: 100 } as const;
/** Each part adds a segment to an index. */
const PARTS_PER_MERGE = 4;

/**
 * Updates the full-text indexes after writes. Starts with the records that were not indexed when the service was last
 * stopped.
 */
export function openSearchIndexer(database: Database, log: WarningLog): SearchIndexer {
  /** tables with segments that must be merged */
  const unmerged = new Map<string, CollectionRef>();
  let parts = 0;
  let pages = new AdaptiveSize(MERGE);

  /** @returns whether there is more to merge */
  const mergeSome = async (db: Transaction, collection: CollectionRef): Promise<boolean> => {
    // A purge may have deleted the archive or table meanwhile.
    if (!(await hasSearchTable(db, collection))) return false;
    const start = performance.now();
    const hasMore = await mergeSearch(db, collection, pages.current);
    // A call that finds nothing to merge takes no time.
    if (hasMore) pages.adapt(performance.now() - start);
    return hasMore;
  };

  /** @returns how long the part took, in milliseconds */
  const work = async (collection: CollectionRef, size: number): Promise<number> => {
    let took = 0;
    await database.write(async (db) => {
      const start = performance.now();
      await indexNextRecords(db, collection, size);
      // In the same commit, because other writes wait for commits.
      if (++parts % PARTS_PER_MERGE === 0) await mergeSome(db, collection);
      took = performance.now() - start;
    }, READ_COMMITTED);
    unmerged.set(searchTable(collection), collection);
    return took;
  };

  const catchUp = async (signal: AbortSignal): Promise<void> => {
    const size = new AdaptiveSize(PART);
    pages = new AdaptiveSize(MERGE);
    while (!signal.aborted) {
      const outdated = await database.read(findOutdatedIndex);
      if (!outdated) return;
      const before = database.load().writes.count;
      const took = await work(outdated.collection, size.current);
      size.adapt(took);
      await pause(took * PAUSE.alone, signal);
      // Also those that were committed together with the part: during a long commit no write starts.
      const othersWrite = database.load().writes.count > before + 1;
      if (!othersWrite) continue;
      if (outdated.due > MANY_DUE) await pause(took * PAUSE.late, signal);
      else {
        const minPause = outdated.due > FEW_DUE ? MIN_PAUSE.moreDue : MIN_PAUSE.fewDue;
        await pause(Math.max(minPause, took * PAUSE.amongOthers), signal);
      }
    }
  };

  const merge = async (signal: AbortSignal): Promise<void> => {
    for (const [name, collection] of unmerged) {
      let more = true;
      while (more) {
        await pause(MIN_PAUSE.moreDue, signal);
        if (loop.isWoken || signal.aborted) return;
        more = await database.write((db) => mergeSome(db, collection), READ_COMMITTED);
      }
      unmerged.delete(name);
    }
  };

  const loop = new BackgroundLoop({
    name: 'indexing texts for the search',
    log,
    async run(signal) {
      await catchUp(signal);
      await merge(signal);
      return UNTIL_WOKEN;
    },
  });
  return loop;
}
