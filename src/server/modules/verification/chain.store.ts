import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import type { HistoryBlockRow } from '#server/database/schema.ts';
import { chunks } from '#server/database/records/bulk.ts';
import { countRows } from '#server/database/records/count-rows.ts';
import { hashEntry, parseIds, readChainedEntries } from '../history/history.service.ts';

/** Each block has some kilobytes of ids. */
const BLOCKS_PAGE = 20;
/** An entry may have several megabytes. */
const ENTRIES_PAGE = 250;
const IDS_PAGE = 5_000;

/** All blocks in their order, in pages. */
export async function* walkBlocks(db: Transaction): AsyncGenerator<HistoryBlockRow[]> {
  let after = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const page = await db.k
      .selectFrom('history_blocks')
      .selectAll()
      .where('number', '>', after)
      .orderBy('number')
      .limit(BLOCKS_PAGE)
      .execute();
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last.number;
  }
}

/** The hashes of the entries of these ids that there are, by id. */
export async function readHashes(
  db: Transaction,
  ids: readonly number[],
): Promise<Map<number, Buffer>> {
  const hashes = new Map<number, Buffer>();
  for (const page of chunks(ids, ENTRIES_PAGE)) {
    for (const [id, entry] of await readChainedEntries(db, page)) hashes.set(id, hashEntry(entry));
  }
  return hashes;
}

export function countEntries(db: Transaction): Promise<number> {
  return countRows(db, sql`history`);
}

/** The ids of all entries, ascending, in pages. */
export async function* walkIds(db: Transaction): AsyncGenerator<number[]> {
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const { rows } = await sql<{ id: number }>`
      select id from history where id > ${after} order by id limit ${IDS_PAGE}`.execute(db.k);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(({ id }) => id);
    after = last.id;
  }
}

/** The ids of the entries that are still to be sequenced, in pages. */
export async function* walkOutbox(db: Transaction): AsyncGenerator<number[]> {
  for (let [bulk, first] = [0, Number.MIN_SAFE_INTEGER]; ;) {
    const { rows } = await sql<{ bulk: number; first_id: number; ids: string }>`
      select bulk, first_id, ids from history_outbox where (bulk, first_id) > (${bulk}, ${first})
      order by bulk, first_id limit ${BLOCKS_PAGE}`.execute(db.k);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.flatMap(({ ids }) => parseIds(ids));
    ({ bulk, first_id: first } = last);
  }
}
