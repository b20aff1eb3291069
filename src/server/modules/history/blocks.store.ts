import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { chunks } from '#server/db/records/bulk.ts';
import type { HistoryBlockRow } from '#server/db/schema.ts';
import type { ChainedEntry } from './chain.ts';

/** The most entries of one block. */
export const LARGEST_BLOCK = 1_000;

const ENTRY_COLUMNS = sql.raw(
  'id, at, user_id, username, address, call, scope, thing_id, row_id, version, kind, changes',
);

export function readLastBlock(db: Db): Promise<HistoryBlockRow | undefined> {
  return db.k
    .selectFrom('history_blocks')
    .selectAll()
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The place of the last entry that has one; 0: none has. */
export async function readLastPosition(db: Db): Promise<number> {
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
  db: Db,
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
 * Entries in the order of their ids.
 * @throws {Error} where one is missing
 */
export async function readEntriesInOrder(db: Db, ids: readonly number[]): Promise<ChainedEntry[]> {
  const found = new Map<number, ChainedEntry>();
  for (const chunk of chunks(ids, [LARGEST_BLOCK, 100, 10, 1])) {
    const { rows } = await sql<ChainedEntry>`
      select ${ENTRY_COLUMNS} from history where id in (${sql.join(chunk)})`.execute(db.k);
    for (const row of rows) found.set(row.id, row);
  }
  return ids.map((id) => {
    const entry = found.get(id);
    if (!entry) throw new Error(`The history's entry ${id} is missing.`);
    return entry;
  });
}

export async function insertBlock(db: Db, block: HistoryBlockRow): Promise<void> {
  await db.k.insertInto('history_blocks').values(block).execute();
}
