import { pause } from '#server/background-loop.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import { chunks } from '#server/database/records/bulk.ts';
import type { Check } from '#server/database/records/check.ts';
import type { Collection } from '#server/database/records/collection.ts';
import * as reads from './checks.reads.ts';
import * as store from './check-states.store.ts';
import { documentsOf, writeCorrections, writeDailyCount } from './figures.store.ts';
import { differenceOf, insertKeys, type CountedCheck } from './update-findings.ts';
import { duplicatesAmong, exceptedPairs, type DuplicateKey } from './find-records.ts';
import { writeMeasures } from './measures.ts';
import { queueTexts, readSourcesAfter } from '../page-texts/file-texts.store.ts';
import { deleteMisses, insertMisses, isOnPages, readMissing } from '../page-texts/page-misses.ts';

/** Rows per write, so that other writes wait for at most some milliseconds. */
const STORED_AT_ONCE = 2_000;

interface Context {
  readonly database: Database;
  readonly signal: AbortSignal;
  /** @returns false if another process is counting now */
  readonly claim: (db: Transaction) => Promise<boolean>;
}

/** Reads that take as long as there are records, until the service ends. */
function readAll<T>(
  { database, signal }: Context,
  work: (db: Transaction) => Promise<T>,
): Promise<T> {
  return database.read(work, { signal, isBackground: true });
}

/** Evaluates a check for all records of an archive or table. @returns whether it finished */
export async function recountCheck(
  context: Context,
  collection: Collection,
  { check, state }: CountedCheck,
): Promise<boolean> {
  if (isOnPages(check) && !(await recompareAllPages(context, collection, check))) return false;
  let found: readonly number[];
  if (check.duplicates) {
    const keys = await readAll(context, (db) => reads.duplicateKeys(db, collection, check, null));
    const excepted = await readAll(context, (db) => exceptedPairs(db, collection, check.name));
    found = [...duplicatesAmong(keys, excepted)];
    if (!(await storeKeys(context, state.id, keys))) return false;
  } else {
    found = await readAll(context, (db) => reads.findRecords(db, collection, check, null));
  }
  const stored = await readAll(context, (db) => store.readFindings(db, state.id, null));
  const { added, removed } = differenceOf(stored, found);
  const documents = await readAll(context, (db) =>
    documentsOf(db, collection, removed.length > 0 ? [...added, ...removed] : []),
  );
  for (const some of chunks(removed, [STORED_AT_ONCE])) {
    const write = async (db: Transaction) => {
      await store.writeFindings(db, state.id, { added: [], removed: some });
      // Changes caused by the passing of time are not corrections.
      if (check.isTimed) return;
      const all = { check, added, removed: some, documents, authors: new Map<number, number>() };
      await writeCorrections(db, collection, all, Date.now());
    };
    if (!(await writePart(context, write))) return false;
  }
  for (const some of chunks(added, [STORED_AT_ONCE])) {
    const write = (db: Transaction) =>
      store.writeFindings(db, state.id, { added: some, removed: [] });
    if (!(await writePart(context, write))) return false;
  }
  const now = Date.now();
  return writePart(context, async (db) => {
    await store.updateState(db, state.id, {
      count: found.length,
      found: found.length,
      as_of: now,
      due_at: check.isTimed ? nextQuarterOfHour(now) : Number.MAX_SAFE_INTEGER,
    });
    await writeDailyCount(db, collection, check.name, found.length, now);
  });
}

/** Compares all documents with their pages again, and queues the files whose texts are missing. */
async function recompareAllPages(
  context: Context,
  collection: Collection,
  check: Check,
): Promise<boolean> {
  const { database } = context;
  for (let after = 0; ;) {
    const sources = await database.read((db) =>
      readSourcesAfter(db, collection.id, after, STORED_AT_ONCE),
    );
    const last = sources.at(-1);
    if (!last) break;
    if (!(await writePart(context, (db) => queueTexts(db, sources)))) return false;
    after = last.id;
  }
  const misses = await readAll(context, (db) => reads.findPageMisses(db, collection, check, null));
  const former = await readAll(context, (db) => readMissing(db, collection));
  for (const some of chunks(former, [STORED_AT_ONCE])) {
    if (!(await writePart(context, (db) => deleteMisses(db, collection, some)))) return false;
  }
  for (const some of chunks(misses, [STORED_AT_ONCE])) {
    if (!(await writePart(context, (db) => insertMisses(db, collection, some)))) return false;
  }
  return true;
}

async function storeKeys(
  context: Context,
  checkId: number,
  keys: readonly DuplicateKey[],
): Promise<boolean> {
  const deleteKeys = (db: Transaction) =>
    db.k.deleteFrom('check_keys').where('check_id', '=', checkId).execute();
  if (!(await writePart(context, deleteKeys))) return false;
  // In table order, which uses fewer pages.
  const sorted = keys.toSorted((a, b) => a.part - b.part || a.key - b.key || a.rowId - b.rowId);
  for (const some of chunks(sorted, [STORED_AT_ONCE])) {
    if (!(await writePart(context, (db) => insertKeys(db, checkId, some)))) return false;
  }
  return true;
}

/** @returns false if another process has the lease now, or the work must end */
async function writePart(
  { database, claim, signal }: Context,
  work: (db: Transaction) => Promise<unknown>,
): Promise<boolean> {
  const started = performance.now();
  const isOwn = await database.write(async (db) => {
    if (!(await claim(db))) return false;
    await work(db);
    return true;
  }, 'row locks');
  // Others write in between.
  await pause((performance.now() - started) / 2, signal);
  return isOwn && !signal.aborted;
}

/** Computes the medians and shares of an archive or table. */
export async function recomputeMeasures(
  context: Context,
  collection: Collection,
): Promise<boolean> {
  const measures = await readAll(context, (db) => reads.computeMeasures(db, collection));
  return writePart(context, (db) => writeMeasures(db, collection, measures));
}

const QUARTER = 15 * 60_000;

/** In every time zone hours and days begin at a quarter of an hour; changes are then found with little work. */
function nextQuarterOfHour(now: number): number {
  return (Math.floor(now / QUARTER) + 1) * QUARTER;
}
