import { createCooperativeYield } from '#server/database/cooperative-yield.ts';
import type { Transaction } from '#server/database/database.ts';
import { chunks } from '#server/database/records/bulk-statements.ts';
import type { Check } from '#server/database/records/check.ts';
import type { Collection } from '#server/database/records/collection.ts';
import {
  computeMeasuresInWorker,
  findPageMissesInWorker,
  recountFindingsInWorker,
} from './checks.reads.ts';
import * as store from './check-states.store.ts';
import type { CheckState } from './check-states.store.ts';
import {
  deleteRowBatch,
  findAbandoned,
  rowWidth,
  writeRows,
  type RowChanges,
} from './counted-rows.ts';
import type { CountingContext } from './counting-lease.ts';
import { writeCorrections, writeDailyCount } from './figures.store.ts';
import type { CheckChanges, CheckRef } from './find-changes.ts';
import { isMeasured, writeMeasures } from './measures.ts';
import { storeDuplicates } from './duplicate-findings.ts';
import { comparedRecords } from './duplicate-keys.ts';
import { queueTexts, readSourcesAfter } from '../page-texts/file-texts.ts';
import { deleteMisses, insertMisses, isOnPages, readMissing } from '../page-texts/page-misses.ts';

/** Rows that one write stores, so that others wait for it no longer than some milliseconds. */
const STORE_BATCH_SIZE = 10_000;

/** A check whose findings are stored. */
export interface CountedCheck {
  readonly check: Check;
  readonly state: CheckState;
}

/**
 * Evaluates a check for all records of an archive or table, and stores what it finds.
 * @returns how many records are found; null: another process counts now, or the service ends
 */
export async function recountCheck(
  context: CountingContext,
  collection: Collection,
  { check, state }: CountedCheck,
): Promise<number | null> {
  const { database } = context;
  const write = createBatchWriter(context);
  if (isMeasured(check)) {
    const measures = await readInBackground(context, (db) =>
      computeMeasuresInWorker(db, collection, check),
    );
    if (!(await write((db) => writeMeasures(db, collection, check, measures)))) return null;
  }
  const { duplicateKeys } = database.adapter;
  if (check.duplicates && duplicateKeys) {
    const stored = await database.read((db) => duplicateKeys.storedChecks(db));
    if (!stored.includes(state.id)) {
      return writeInOneTransaction(context, (db) =>
        storeDuplicates(db, duplicateKeys, collection, { check, checkId: state.id }),
      );
    }
    const writes = await readInBackground(context, (db) =>
      duplicateKeys.planRenewal(db, state.id, comparedRecords(db, collection, check)),
    );
    for (const storeKeys of writes) if (!(await write(storeKeys))) return null;
  }
  if (isOnPages(check) && !(await recompareAllPages(context, collection, check))) return null;
  const { changes, count } = await readInBackground(context, (db) =>
    recountFindingsInWorker(db, collection, { checkId: state.id, name: check.name }),
  );
  for (const rows of changes.rows.flatMap((all) => [...slices(all)])) {
    if (!(await write((db) => storeRows(db, collection, changes, rows)))) return null;
  }
  return count;
}

/**
 * Makes the count of a check known, of which all is stored that it finds.
 * @param isDue whether all records are to be evaluated again at once
 */
export async function publishCount(
  db: Transaction,
  collection: Collection,
  { check, state }: CountedCheck,
  count: number,
  isDue: boolean,
): Promise<void> {
  const now = Date.now();
  const later = check.isTimed ? nextQuarterOfHour(now) : Number.MAX_SAFE_INTEGER;
  const next = { count, as_of: now, due_at: isDue ? 0 : later };
  await storeCount(db, collection, { checkId: state.id, name: check.name }, next, now);
}

/** Stores how many records a check finds, also as its count of today, and what else changes in its state. */
export async function storeCount(
  db: Transaction,
  collection: Collection,
  { checkId, name }: CheckRef,
  { count, ...more }: { readonly count: number } & Partial<Pick<CheckState, 'as_of' | 'due_at'>>,
  now: number,
): Promise<void> {
  await store.updateState(db, checkId, { ...more, count, found: count });
  await writeDailyCount(db, collection, name, count, now);
}

/** Stores what has changed in the findings of a check. @returns how many more findings it has */
export async function storeChanges(
  db: Transaction,
  collection: Collection,
  changes: CheckChanges,
): Promise<number> {
  for (const rows of changes.rows) await storeRows(db, collection, changes, rows);
  const [{ added, removed }] = changes.rows;
  return added.length - removed.length;
}

async function storeRows(
  db: Transaction,
  collection: Collection,
  { checkId, name, corrected }: CheckChanges,
  rows: RowChanges,
): Promise<void> {
  await writeRows(db, checkId, rows);
  if (rows.table !== 'check_findings') return;
  const users = [...rows.removed].flatMap((id) => corrected.get(id) ?? []);
  if (users.length > 0) await writeCorrections(db, collection, name, users, Date.now());
}

function* slices({ table, removed, added }: RowChanges): Generator<RowChanges> {
  const size = rowWidth(table) * STORE_BATCH_SIZE;
  const none = new Float64Array();
  for (let at = 0; at < removed.length; at += size)
    yield { table, removed: removed.subarray(at, at + size), added: none };
  for (let at = 0; at < added.length; at += size)
    yield { table, removed: none, added: added.subarray(at, at + size) };
}

/** Deletes some of the rows of checks that no longer exist. @returns whether there may be more */
export async function deleteAbandoned(context: CountingContext): Promise<boolean> {
  const abandoned = await context.database.read(findAbandoned);
  if (!abandoned) return false;
  return createBatchWriter(context)((db) => deleteRowBatch(db, abandoned, STORE_BATCH_SIZE));
}

/** Compares all documents with their pages again, and queues the files whose texts are not known. */
async function recompareAllPages(
  context: CountingContext,
  collection: Collection,
  check: Check,
): Promise<boolean> {
  const write = createBatchWriter(context);
  for (let after = 0; ;) {
    const sources = await context.database.read((db) =>
      readSourcesAfter(db, collection.id, after, STORE_BATCH_SIZE),
    );
    const last = sources.at(-1);
    if (!last) break;
    if (!(await write((db) => queueTexts(db, sources)))) return false;
    after = last.id;
  }
  const misses = await readInBackground(context, (db) =>
    findPageMissesInWorker(db, collection, check, null),
  );
  const former = await readInBackground(context, (db) => readMissing(db, collection));
  for (const some of chunks(former, [STORE_BATCH_SIZE])) {
    if (!(await write((db) => deleteMisses(db, collection, some)))) return false;
  }
  for (const some of chunks(misses, [STORE_BATCH_SIZE])) {
    if (!(await write((db) => insertMisses(db, collection, some)))) return false;
  }
  return true;
}

/** Reads what takes as long as there are records, until the service ends. */
function readInBackground<T>(
  { database, lease, signal }: CountingContext,
  work: (db: Transaction) => Promise<T>,
): Promise<T> {
  return lease.withRenewal(() => database.read(work, { signal, isBackground: true }));
}

/**
 * Writes long work in parts, and lets other writes go first between them. The function returns false if another process
 * has the lease now, or the service ends.
 */
function createBatchWriter({ database, lease, signal }: CountingContext) {
  const yieldToOthers = createCooperativeYield(signal);
  return async (work: (db: Transaction) => Promise<unknown>): Promise<boolean> => {
    let began = performance.now();
    const isOwn = await database.write(
      async (db) => {
        began = performance.now();
        if (!(await lease.renew(db))) return false;
        await work(db);
        return true;
      },
      { isolation: 'read committed', weight: 'large' },
    );
    const took = performance.now() - began;
    await yieldToOthers(took, database.adapter.isShared ? 0 : took);
    return isOwn && !signal.aborted;
  };
}

/**
 * Writes long work in one transaction, for a database on which no other write waits for it.
 * @returns its result; null: another process has the lease now, and nothing was written
 */
async function writeInOneTransaction<T>(
  { database, lease, signal }: CountingContext,
  work: (db: Transaction) => Promise<T>,
): Promise<T | null> {
  const lost = new Error('Another process counts now.');
  try {
    return await lease.withRenewal(() =>
      database.write(
        async (db) => {
          const result = await work(db);
          // At the end, as this locks the row of the lease.
          if (!(await lease.renew(db))) throw lost;
          return result;
        },
        { isolation: 'read committed', weight: 'large', signal },
      ),
    );
  } catch (error) {
    if (error === lost) return null;
    throw error;
  }
}

const QUARTER = 15 * 60_000;

/** In every time zone hours and days begin at a quarter of an hour; changes are then found with little work. */
function nextQuarterOfHour(now: number): number {
  return (Math.floor(now / QUARTER) + 1) * QUARTER;
}
