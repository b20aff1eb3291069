import { sql, type RawBuilder } from 'kysely';
import * as z from 'zod';
import type { Transaction } from '#server/database/database.ts';
import { chunks } from '#server/database/records/bulk.ts';
import type { HistoryBlockRow, HistoryScope } from '#server/database/schema.ts';
import type { ChainedEntry } from './chain.ts';
import { readSetting, writeSetting } from '#server/database/installation.ts';

/** The most entries of one block. */
export const LARGEST_BLOCK = 1_000;

const ENTRY_COLUMNS = sql.raw(
  'id, at, user_id, username, address, call, scope, thing_id, row_id, version, kind, changes',
);

export function readLastBlock(db: Transaction): Promise<HistoryBlockRow | undefined> {
  return db.k
    .selectFrom('history_blocks')
    .selectAll()
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The place of the last entry that has one; 0: none has. */
export async function readLastPosition(db: Transaction): Promise<number> {
  const last = await db.k
    .selectFrom('history_blocks')
    .select(['first_position', 'entries'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last ? last.first_position + last.entries - 1 : 0;
}

/** Entries beyond an id, in their order. */
export async function readEntriesBeyond(
  db: Transaction,
  lastId: number,
  most: number,
): Promise<ChainedEntry[]> {
  const { rows } = await sql<ChainedEntry>`
    select ${ENTRY_COLUMNS} from history where id > ${lastId} order by id limit ${most}`.execute(
    db.k,
  );
  return rows;
}

/**
 * The ids of entries without a place among those that have one. On PostgreSQL they may come to be sealed yet; in a
 * copy of it, nobody would see that they were committed late.
 */
export async function readLeftOut(db: Transaction, last: HistoryBlockRow): Promise<number[]> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from history where id <= ${last.last_id}`.execute(db.k);
  if (rows[0]?.count === last.first_position + last.entries - 1) return [];
  const named =
    db.dialect === 'sqlite'
      ? sql`select value from history_blocks, json_each(ids)`
      : sql`select value::bigint from history_blocks, json_array_elements_text(ids::json)`;
  const left = await sql<{ id: number }>`
    select id from history where id <= ${last.last_id} except ${named} order by id`.execute(db.k);
  return left.rows.map(({ id }) => id);
}

/**
 * Entries in the order of their ids.
 * @throws {Error} where one is missing
 */
export async function readEntriesInOrder(
  db: Transaction,
  ids: readonly number[],
): Promise<ChainedEntry[]> {
  const found = new Map<number, ChainedEntry>();
  const read = async (matching: RawBuilder<unknown>) => {
    const { rows } = await sql<ChainedEntry>`
      select ${ENTRY_COLUMNS} from history where ${matching}`.execute(db.k);
    for (const row of rows) found.set(row.id, row);
  };
  const [first = 0, last = 0] = [ids[0], ids.at(-1)];
  // As loads and batches leave them.
  if (last - first < ids.length) await read(sql`id between ${first} and ${last}`);
  else {
    for (const chunk of chunks(ids, [LARGEST_BLOCK, 100, 10, 1])) {
      await read(sql`id in (${sql.join(chunk)})`);
    }
  }
  return ids.map((id) => {
    const entry = found.get(id);
    if (!entry) throw new Error(`The history's entry ${id} is missing.`);
    return entry;
  });
}

/** Appends a block, and has the installation remember that it is there: blocks missing at the end show then. */
export async function insertBlock(db: Transaction, block: HistoryBlockRow): Promise<void> {
  await db.k.insertInto('history_blocks').values(block).execute();
  await writeSetting(db, NEWEST_BLOCK, String(block.number));
}

const NEWEST_BLOCK = 'newest_history_block';

/** The number of the block that was appended last, whatever has become of it; 0: none was. */
export async function readNewestAppended(db: Transaction): Promise<number> {
  return Number((await readSetting(db, NEWEST_BLOCK)) ?? 0);
}

/** An entry at its place. */
export interface PlacedEntry {
  /** from 1, without a gap */
  readonly position: number;
  readonly at: number;
  readonly username: string;
  readonly scope: HistoryScope;
  readonly collectionId: number;
  readonly rowId: number;
}

/** Blocks that are looked at together; most hold few entries. */
const BLOCKS_AT_ONCE = 100;

/**
 * The entries behind a place, in the order of their places: at most `most`, and fewer even where there are more,
 * but none only where there are none.
 */
export async function readPlacedEntries(
  db: Transaction,
  after: number,
  most: number,
): Promise<PlacedEntry[]> {
  const { rows: blocks } = await sql<{ first_position: number; ids: string }>`
    select first_position, ids from history_blocks
    where first_position >= (
      select coalesce(max(first_position), 0) from history_blocks where first_position <= ${after + 1}
    ) order by first_position limit ${BLOCKS_AT_ONCE}`.execute(db.k);
  const positions = new Map<number, number>();
  for (const { first_position, ids } of blocks) {
    if (positions.size >= most) break;
    for (const [i, id] of idsOf(ids).entries()) {
      const position = first_position + i;
      if (position > after && positions.size < most) positions.set(id, position);
    }
  }
  const entries: PlacedEntry[] = [];
  for (const chunk of chunks([...positions.keys()], [LARGEST_BLOCK, 100, 10, 1])) {
    const rows = await db.k
      .selectFrom('history')
      .select(['id', 'at', 'username', 'scope', 'thing_id as collectionId', 'row_id as rowId'])
      .where('id', 'in', [...chunk])
      .execute();
    for (const { id, ...row } of rows) {
      entries.push({ position: positions.get(id) ?? 0, ...row });
    }
  }
  return entries.sort((a, b) => a.position - b.position);
}

/** The ids of a block, as they are stored. */
export function idsOf(stored: string): number[] {
  return idsSchema.parse(JSON.parse(stored));
}

const idsSchema = z.array(z.int());
