import { sql, type RawBuilder } from 'kysely';
import type { Db } from '#server/db/database.ts';
import type { HistoryBlockRow } from '#server/db/schema.ts';
import { chunks } from '#server/db/records/bulk.ts';
import type { ChainedEntry } from '../history/history.service.ts';

/** A block's ids take some kilobytes. */
const BLOCKS_PAGE = 20;

/** All blocks in their order, in pages. */
export async function* walkBlocks(db: Db): AsyncGenerator<HistoryBlockRow[]> {
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

export function readNewestBlock(db: Db): Promise<HistoryBlockRow | undefined> {
  return db.k
    .selectFrom('history_blocks')
    .selectAll()
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** So many at a time: an entry may be several megabytes large. */
const ENTRIES_PAGE = 250;

/** The entries of these ids that are there. */
export async function* walkEntriesOf(
  db: Db,
  ids: readonly number[],
): AsyncGenerator<ChainedEntry[]> {
  for (let at = 0; at < ids.length; at += ENTRIES_PAGE) {
    const page = ids.slice(at, at + ENTRIES_PAGE);
    const [first, last] = [Math.min(...page), Math.max(...page)];
    if (last - first < page.length) {
      yield await readEntries(db, sql`id between ${first} and ${last}`);
    } else {
      for (const chunk of chunks(page, [250, 50, 1])) {
        yield await readEntries(db, sql`id in (${sql.join(chunk)})`);
      }
    }
  }
}

async function readEntries(db: Db, matching: RawBuilder<unknown>): Promise<ChainedEntry[]> {
  const { rows } = await sql<ChainedEntry>`
    select id, at, user_id, username, address, call, scope, thing_id, row_id, version, kind, changes
    from history where ${matching}`.execute(db.k);
  return rows;
}

export async function countEntries(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from history`.execute(
    db.k,
  );
  return rows[0]?.count ?? 0;
}

const IDS_PAGE = 5_000;

/** The ids of all entries, ascending, in pages. */
export async function* walkIds(db: Db): AsyncGenerator<number[]> {
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const { rows } = await sql<{ id: number }>`
      select id from history where id > ${after} order by id limit ${IDS_PAGE}`.execute(db.k);
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(({ id }) => id);
    after = last.id;
  }
}
