import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import type { HistoryBlockRow } from '#server/database/tables/history-tables.ts';
import { chunks } from '#server/database/records/bulk-statements.ts';
import { countRows } from '#server/database/records/count-rows.ts';
import { chainedHash, parseBlockIds, readChainedEntries } from '../history/history.service.ts';
import { isCovered, type Purge } from '../purges/purges.service.ts';

/** Each block has some kilobytes of ids. */
const BLOCKS_PAGE = 20;
/** An entry may have several megabytes. */
const ENTRIES_PAGE = 250;
const IDS_PAGE = 5_000;

/** All blocks in their order, in pages. */
export async function* iterateBlocks(db: Transaction): AsyncGenerator<HistoryBlockRow[]> {
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

/** An entry in the chain. */
export interface ChainLink {
  readonly hash: Buffer;
  /** whether changes are missing without a purge that explains it */
  readonly isBlank: boolean;
}

/** The existing entries with these ids, by id. */
export async function readLinks(
  db: Transaction,
  ids: readonly number[],
  purges: readonly Purge[],
): Promise<Map<number, ChainLink>> {
  const links = new Map<number, ChainLink>();
  for (const page of chunks(ids, ENTRIES_PAGE)) {
    for (const [id, entry] of await readChainedEntries(db, page)) {
      const isBlank =
        entry.sha256 !== null &&
        !isCovered(
          entry,
          purges.filter(
            ({ kind, collectionId }) => kind === entry.scope && collectionId === entry.thing_id,
          ),
        );
      links.set(id, { hash: chainedHash(entry), isBlank });
    }
  }
  return links;
}

export function countEntries(db: Transaction): Promise<number> {
  return countRows(db, sql`history`);
}

/** The ids of all entries, ascending, in pages. */
export async function* iterateIds(db: Transaction): AsyncGenerator<number[]> {
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const { rows } = await sql<{ id: number }>`
      select id from history where id > ${after} order by id limit ${IDS_PAGE}`.execute(db.k);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(({ id }) => id);
    after = last.id;
  }
}

/** The ids of the entries in the outbox, in pages. */
export async function* iterateOutbox(db: Transaction): AsyncGenerator<number[]> {
  for (let [bulk, first] = [0, Number.MIN_SAFE_INTEGER]; ;) {
    const { rows } = await sql<{ bulk: number; first_id: number; ids: string }>`
      select bulk, first_id, ids from history_outbox where (bulk, first_id) > (${bulk}, ${first})
      order by bulk, first_id limit ${BLOCKS_PAGE}`.execute(db.k);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.flatMap(({ ids }) => parseBlockIds(ids));
    ({ bulk, first_id: first } = last);
  }
}
