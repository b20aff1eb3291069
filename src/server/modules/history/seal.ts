import type { Database, Transaction } from '#server/database/database.ts';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import { tryProcessLock } from '#server/database/process-lock.ts';
import { chunks } from '#server/database/records/bulk.ts';
import type { HistoryBlockRow } from '#server/database/schema.ts';
import {
  insertBlock,
  LARGEST_BLOCK,
  readEntriesBeyond,
  readEntriesInOrder,
  readLastBlock,
  readLeftOut,
} from './blocks.store.ts';
import { CHAIN_START, hashBlock, hashEntry, markOf, type ChainedEntry } from './chain.ts';
import { findUnsealed, type Remembered } from './postgres-unsealed.ts';

/** How many entries one transaction seals on PostgreSQL, where nobody waits for it. */
const MOST_AT_ONCE = 10 * LARGEST_BLOCK;

/** What came of one look for entries to seal. */
export interface Sealed {
  /** how many entries have got their place */
  readonly entries: number;
  /** whether there may be more */
  readonly more: boolean;
}

const NOTHING: Sealed = { entries: 0, more: false };

/** Gives committed entries of the history their places. May run in several processes at once. */
export function openSealing(database: Database): () => Promise<Sealed> {
  if (!database.adapter.isShared) return () => sealOnSqlite(database);
  let remembered: Remembered | undefined;
  return async () => {
    const { sealed, found } = await database.write(
      (db) => sealOnPostgres(db, remembered),
      'row locks',
    );
    remembered = found ?? remembered;
    return sealed;
  };
}

/**
 * One writer at a time: ids are in the order of the commits. Hashing is done before the writer is taken, which
 * others wait for.
 */
async function sealOnSqlite(database: Database): Promise<Sealed> {
  const next = await database.read(async (db) => {
    const last = await readLastBlock(db);
    const entries = await readEntriesBeyond(db, last?.last_id ?? 0, LARGEST_BLOCK);
    return entries.length === 0 ? undefined : buildBlock(last, entries, null);
  });
  if (!next) return NOTHING;
  const inserted = await database.write(async (db) => {
    // Another one may have sealed the same meanwhile.
    const last = await readLastBlock(db);
    if ((last?.number ?? 0) !== next.number - 1) return false;
    await insertBlock(db, next);
    return true;
  });
  return inserted
    ? { entries: next.entries, more: next.entries === LARGEST_BLOCK }
    : { entries: 0, more: true };
}

async function sealOnPostgres(
  db: Transaction,
  remembered: Remembered | undefined,
): Promise<{ readonly sealed: Sealed; readonly found?: Remembered }> {
  if (!(await tryProcessLock(db, 'sealing'))) return { sealed: NOTHING };
  // Statements after the lock see all that its last holder has committed.
  let last = await readLastBlock(db);
  const { ids, idsOfLarge, more, progress } = await findUnsealed(
    db,
    last,
    MOST_AT_ONCE,
    remembered,
  );
  const blocks = [...chunks(ids, LARGEST_BLOCK), ...chunks(idsOfLarge, LARGEST_BLOCK)];
  if (blocks.length === 0) {
    return { sealed: { entries: 0, more }, found: { number: last?.number ?? 0, progress } };
  }
  for (const [i, chunk] of blocks.entries()) {
    const isLast = i === blocks.length - 1;
    const entries = await readEntriesInOrder(db, chunk);
    last = buildBlock(last, entries, isLast ? JSON.stringify(progress) : null);
    await insertBlock(db, last);
    await yieldToEventLoop();
  }
  await db.notify(String(last?.number));
  return { sealed: { entries: ids.length + idsOfLarge.length, more } };
}

/**
 * Seals in a copy of an installation what had been committed in the source after entries with greater ids were
 * sealed, and was not sealed itself when the copy was made.
 */
export async function sealLeftOut(db: Transaction): Promise<void> {
  let last = await readLastBlock(db);
  const ids = last ? await readLeftOut(db, last) : [];
  for (const chunk of chunks(ids, LARGEST_BLOCK)) {
    last = buildBlock(last, await readEntriesInOrder(db, chunk), null);
    await insertBlock(db, last);
  }
}

function buildBlock(
  last: HistoryBlockRow | undefined,
  entries: readonly ChainedEntry[],
  progress: string | null,
): HistoryBlockRow {
  const head = {
    number: (last?.number ?? 0) + 1,
    firstPosition: last ? last.first_position + last.entries : 1,
    entries: entries.length,
    sealedAt: Date.now(),
  };
  const ids = entries.map(({ id }) => id);
  const hashes = entries.map(hashEntry);
  return {
    number: head.number,
    first_position: head.firstPosition,
    entries: head.entries,
    ids: JSON.stringify(ids),
    last_id: Math.max(last?.last_id ?? 0, ids.at(-1) ?? 0),
    sealed_at: head.sealedAt,
    hash: hashBlock(last?.hash ?? CHAIN_START, head, hashes),
    marks: hashes.map(markOf).join(''),
    progress,
  };
}
