import type { WarningLog } from '#server/warning-log.ts';
import { BackgroundLoop, pause, UNTIL_WOKEN } from '#server/background-loop.ts';
import type { Database, SearchIndexer } from '../database.ts';
import { searchTable, type Named } from '../records/columns.ts';
import { findBehind, indexSome, mergeSearch } from './search-index.ts';

/** How long one part holds the writer about, in milliseconds, and of how many records it is. */
const PART = { aim: 8, first: 8, most: 500 } as const;
/**
 * The pause after a part: as often as long as the part. While others write it is at least so many milliseconds, as
 * each part makes them wait for a commit of its own, and a small part costs almost as much as a large one: few
 * records that are due may wait the longer, so that a burst of saves is indexed after it (among them it took a
 * quarter of the processor). A search looks at each record that is due for some 4 µs; where they are many, parts and
 * other writes take turns.
 */
const PAUSE = { alone: 0.5, amongOthers: 6, late: 1 } as const;
const LEAST = { few: 1_000, more: 60 } as const;
const FEW_DUE = 4_000;
const MANY_DUE = 20_000;
/** Each part adds a segment to an index, which merges no fewer than these. */
const MERGED_AT_ONCE = 4;

/** Brings the full-text indexes up to date after the writes. Starts with what was left when the service was last stopped. */
export function openSearchIndexer(database: Database, log: WarningLog): SearchIndexer {
  /** what the parts have left to be merged */
  const unmerged = new Map<string, Named>();
  let parts = 0;

  /** @returns how long the part took, in milliseconds */
  const work = async (collection: Named, size: number): Promise<number> => {
    let took = 0;
    await database.write(async (db) => {
      const start = performance.now();
      await indexSome(db, collection, size);
      // In the same commit, which is what others wait for.
      if (++parts % MERGED_AT_ONCE === 0) await mergeSearch(db, collection);
      took = performance.now() - start;
    }, 'row locks');
    unmerged.set(searchTable(collection), collection);
    return took;
  };

  const catchUp = async (signal: AbortSignal): Promise<void> => {
    let size: number = PART.first;
    while (!signal.aborted) {
      const behind = await database.read(findBehind);
      if (!behind) return;
      const took = await work(behind.collection, size);
      size = Math.ceil(Math.min((size * PART.aim) / Math.max(took, 0.1), size * 2, PART.most));
      const before = database.load().writes.count;
      await pause(took * PAUSE.alone, signal);
      if (database.load().writes.count === before) continue;
      if (behind.due > MANY_DUE) await pause(took * PAUSE.late, signal);
      else {
        const least = behind.due > FEW_DUE ? LEAST.more : LEAST.few;
        await pause(Math.max(least, took * PAUSE.amongOthers), signal);
      }
    }
  };

  const merge = async (signal: AbortSignal): Promise<void> => {
    for (const [name, collection] of unmerged) {
      let more = true;
      while (more) {
        await pause(LEAST.more, signal);
        if (loop.isWoken || signal.aborted) return;
        more = await database.write((db) => mergeSearch(db, collection), 'row locks');
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
