import type { WarningLog } from '#server/lib/warning-log.ts';
import { BackgroundLoop } from '#server/lib/background-loop.ts';
import { READ_COMMITTED, type Database, type Transaction } from '#server/database/database.ts';
import { wrapDatabase } from '#server/database/wrap-database.ts';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import { tryProcessLock } from '#server/database/process-lock.ts';
import { chunks } from '#server/database/records/bulk-statements.ts';
import type { HistoryBlockRow } from '#server/database/tables/history-tables.ts';
import { CHAIN_START, chainedHash, hashBlock, entryMark, type ChainedEntry } from './chain.ts';
import { hasAppended } from './history.store.ts';
import {
  deleteFromOutbox,
  insertBlock,
  MAX_BLOCK_SIZE,
  parseBlockIds,
  readChainedEntries,
  readLastBlock,
  readOutbox,
} from './sequencer.store.ts';

/* Assigns positions to committed entries of the history: docs/history.md. */

/** The pause between a commit and its sequencing, in milliseconds, so that several commits share a block. */
const WAKE_DELAY = 50;
/** How often the sequencer looks for entries that other processes have left, in milliseconds. */
const POLL_INTERVAL = 500;

/** The sequencer of a process that runs the service. */
export interface Sequencer {
  /** The database of the service, whose writes that append to the history wake the sequencer. */
  readonly database: Database;
  /** Calls `listener` after this process has sequenced entries. */
  onSequenced(listener: () => void): void;
  /** Sequences the last changes by clerks, and ends. */
  close(): Promise<void>;
}

export function openSequencer(database: Database, log: WarningLog): Sequencer {
  const listeners: (() => void)[] = [];
  const sequenced = () => {
    for (const listener of listeners) listener();
  };
  const loop = new BackgroundLoop({
    name: 'sequencing the history',
    log,
    wakeDelay: WAKE_DELAY,
    async run(signal) {
      await sequenceAllEntries(database, sequenced, signal);
      return POLL_INTERVAL;
    },
  });
  return {
    database: wakeAfterWrites(database, () => loop.wake()),
    onSequenced: (listener) => void listeners.push(listener),
    async close() {
      await loop.close();
      // One more block: changes by clerks come first. The rest of a load waits for the next start or process.
      await sequenceNextEntries(database).catch((error: unknown) =>
        log.warn({ err: error }, 'sequencing the history failed'),
      );
    },
  };
}

/**
 * Sequences all committed entries, unless another process does.
 * @param sequenced called after each transaction with the number of its entries
 * @param signal when aborted, the work ends after the current transaction
 */
export async function sequenceAllEntries(
  database: Database,
  sequenced: (entries: number) => void = () => undefined,
  signal?: AbortSignal,
): Promise<void> {
  for (;;) {
    const entries = await sequenceNextEntries(database);
    if (entries > 0) sequenced(entries);
    if (entries < MAX_BLOCK_SIZE || signal?.aborted) return;
  }
}

/**
 * Sequences the next entries in one transaction: one block, or several if one statement has appended many. May run in
 * several processes at once.
 * @returns how many; 0: there are none, or another process sequences them
 */
export async function sequenceNextEntries(database: Database): Promise<number> {
  const rows = await database.read((db) => readOutbox(db, 1));
  if (rows.length === 0) return 0;
  return database.write(appendBlocks, READ_COMMITTED);
}

async function appendBlocks(db: Transaction): Promise<number> {
  if (!(await tryProcessLock(db, 'sequencing'))) return 0;
  // Statements after the lock see all that its last holder has committed.
  const rows = await readOutbox(db, MAX_BLOCK_SIZE);
  if (rows.length === 0) return 0;
  // Of two changes of one record the later one has the greater id, because the record is locked before the id is
  // assigned.
  const ids = rows.flatMap((row) => parseBlockIds(row.ids)).toSorted((a, b) => a - b);
  let last = await readLastBlock(db);
  for (const chunk of chunks(ids, MAX_BLOCK_SIZE)) {
    const found = await readChainedEntries(db, chunk);
    // An entry that was removed from the database outside of the service gets no position.
    const entries = chunk.flatMap((id) => found.get(id) ?? []);
    if (entries.length === 0) continue;
    last = buildBlock(last, entries);
    await insertBlock(db, last);
    await yieldToEventLoop();
  }
  await deleteFromOutbox(db, rows);
  await db.notify(String(last?.number ?? 0));
  return ids.length;
}

function buildBlock(
  last: HistoryBlockRow | undefined,
  entries: readonly ChainedEntry[],
): HistoryBlockRow {
  const ids = entries.map(({ id }) => id);
  const head = {
    number: (last?.number ?? 0) + 1,
    firstPosition: last ? last.first_position + last.entries : 1,
    entries: ids.length,
    sealedAt: Date.now(),
  };
  const hashes = entries.map(chainedHash);
  return {
    number: head.number,
    first_position: head.firstPosition,
    entries: head.entries,
    ids: JSON.stringify(ids),
    last_id: Math.max(last?.last_id ?? 0, ...ids),
    sealed_at: head.sealedAt,
    hash: hashBlock(last?.hash ?? CHAIN_START, head, hashes),
    marks: hashes.map(entryMark).join(''),
  };
}

function wakeAfterWrites(database: Database, wake: () => void): Database {
  return wrapDatabase(database, {
    async write(work, options) {
      let appended = false;
      const result = await database.write(async (db) => {
        const worked = await work(db);
        appended = hasAppended(db);
        return worked;
      }, options);
      if (appended) wake();
      return result;
    },
  });
}
