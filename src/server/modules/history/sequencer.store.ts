import { sql } from 'kysely';
import * as z from 'zod';
import type { Transaction } from '#server/database/database.ts';
import type {
  HistoryBlockRow,
  HistoryOutboxRow,
  HistoryScope,
} from '#server/database/tables/history-tables.ts';
import { CHAINED_COLUMNS, type ChainedEntry } from './chain.ts';
import { readSetting, writeSetting } from '#server/database/installation.ts';

/** Maximum number of entries per block. */
export const MAX_BLOCK_SIZE = 1_000;

/**
 * The next rows of the outbox: single changes before loads, in id order.
 * @param entries the total number of entries, or all there are; the last row may exceed it
 */
export async function readOutbox(db: Transaction, entries: number): Promise<HistoryOutboxRow[]> {
  const rows = await db.k
    .selectFrom('history_outbox')
    .selectAll()
    .orderBy('bulk')
    .orderBy('first_id')
    .limit(entries)
    .execute();
  let count = 0;
  const end = rows.findIndex((row) => (count += row.entries) >= entries);
  return end === -1 ? rows : rows.slice(0, end + 1);
}

export async function deleteFromOutbox(
  db: Transaction,
  rows: readonly HistoryOutboxRow[],
): Promise<void> {
  for (const [bulk, ofKind] of Map.groupBy(rows, (row) => row.bulk)) {
    const ids = ofKind.map(({ first_id }) => first_id);
    await db.k
      .deleteFrom('history_outbox')
      .where('bulk', '=', bulk)
      .where(sql<boolean>`first_id ${db.adapter.isAmong(ids)}`)
      .execute();
  }
}

export function readLastBlock(db: Transaction): Promise<HistoryBlockRow | undefined> {
  return db.k
    .selectFrom('history_blocks')
    .selectAll()
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The position of the last entry that has one; 0: none has. */
export async function readLastPosition(db: Transaction): Promise<number> {
  const last = await db.k
    .selectFrom('history_blocks')
    .select(['first_position', 'entries'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ? last.first_position + last.entries - 1 : 0;
}

/** Reads the entries of these ids. @returns what there is, by id */
export async function readChainedEntries(
  db: Transaction,
  ids: readonly number[],
): Promise<Map<number, ChainedEntry>> {
  const [first, last] = [Math.min(...ids), Math.max(...ids)];
  // Loads and batches leave successive ids.
  const areSuccessive = last - first < ids.length;
  const isOne = areSuccessive ? sql`between ${first} and ${last}` : db.adapter.isAmong(ids);
  const { rows } = await sql<ChainedEntry>`
    select ${CHAINED_COLUMNS} from history where id ${isOne}`.execute(db.k);
  return new Map(rows.map((row) => [row.id, row]));
}

/** Appends a block, and stores its number in the installation, so that missing blocks at the end are detected. */
export async function insertBlock(db: Transaction, block: HistoryBlockRow): Promise<void> {
  await db.k.insertInto('history_blocks').values(block).execute();
  await writeSetting(db, NEWEST_BLOCK, String(block.number));
}

const NEWEST_BLOCK = 'newest_history_block';

/** The number of the last appended block, even if it is missing now; 0: none. */
export async function readNewestAppended(db: Transaction): Promise<number> {
  return Number((await readSetting(db, NEWEST_BLOCK)) ?? 0);
}

/** An entry at its position. */
export interface SequencedEntry {
  readonly id: number;
  /** from 1 */
  readonly position: number;
  readonly at: number;
  readonly username: string;
  /** null: a command */
  readonly userId: number | null;
  readonly scope: HistoryScope;
  readonly collectionId: number;
  readonly rowId: number;
}

/** Blocks that are read together; most hold few entries. */
const BLOCKS_PAGE = 100;

/** Entries of consecutive positions. */
export interface SequencedEntries {
  /** in order; without entries that were removed outside of the service */
  readonly entries: readonly SequencedEntry[];
  /** the last position that was read, even if its entry is missing */
  readonly upTo: number;
}

/** Reads at most `limit` positions after one; possibly fewer, but none only if there are none. */
export async function readSequencedEntries(
  db: Transaction,
  after: number,
  limit: number,
): Promise<SequencedEntries> {
  const { rows: blocks } = await sql<{ first_position: number; ids: string }>`
    select first_position, ids from history_blocks
    where first_position >= (
      select coalesce(max(first_position), 0) from history_blocks where first_position <= ${after + 1}
    ) order by first_position limit ${BLOCKS_PAGE}`.execute(db.k);
  const positions = new Map<number, number>();
  for (const { first_position, ids } of blocks) {
    if (positions.size >= limit) break;
    for (const [i, id] of parseBlockIds(ids).entries()) {
      const position = first_position + i;
      if (position > after && positions.size < limit) positions.set(id, position);
    }
  }
  const rows = await db.k
    .selectFrom('history')
    .select([
      'id',
      'at',
      'username',
      'user_id as userId',
      'scope',
      'thing_id as collectionId',
      'row_id as rowId',
    ])
    .where(sql<boolean>`id ${db.adapter.isAmong([...positions.keys()])}`)
    .execute();
  const entries = rows.map((row) => ({ position: positions.get(row.id) ?? 0, ...row }));
  entries.sort((a, b) => a.position - b.position);
  return { entries, upTo: Math.max(after, ...positions.values()) };
}

/** @param stored the `ids` of a block or a row of the outbox */
export function parseBlockIds(stored: string): number[] {
  return idsSchema.parse(JSON.parse(stored));
}

const idsSchema = z.array(z.int());
