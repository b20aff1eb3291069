import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import type { HistoryBlockRow } from '#server/database/schema.ts';
import { chunks } from '#server/database/records/bulk.ts';
import { hashEntry, hashTextOfEntry, type ChainedEntry } from '../history/history.service.ts';

/** A block's ids take some kilobytes. */
const BLOCKS_PAGE = 20;

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

export function readNewestBlock(db: Transaction): Promise<HistoryBlockRow | undefined> {
  return db.k
    .selectFrom('history_blocks')
    .selectAll()
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** So many at a time: an entry may be several megabytes large. */
const ENTRIES_PAGE = 250;
/** The same where the entries stay in the database: a block. */
const HASHES_PAGE = 1_000;

/**
 * The hashes of the entries of these ids that are there, by id.
 * @param how who writes the JSON of which the hashes are made, and on PostgreSQL makes them: the database takes half of
 *   the time, and might come to write something in another way than the service has done
 */
export async function readHashes(
  db: Transaction,
  ids: readonly number[],
  how: 'by the database' | 'by the service',
): Promise<Map<number, Buffer>> {
  const hashes = new Map<number, Buffer>();
  const stays = how === 'by the database' && db.dialect === 'postgres';
  const read = async (matching: RawBuilder<unknown>) => {
    if (stays) {
      const { rows } = await sql<{ id: number; hash: Buffer }>`
        select id, sha256(convert_to(${textOfEntry(db)}, 'UTF8')) as hash
        from history where ${matching}`.execute(db.k);
      for (const { id, hash } of rows) hashes.set(id, hash);
    } else if (how === 'by the database') {
      const { rows } = await sql<{ id: number; text: string }>`
        select id, ${textOfEntry(db)} as text from history where ${matching}`.execute(db.k);
      for (const { id, text } of rows) hashes.set(id, hashTextOfEntry(text));
    } else {
      const { rows } = await sql<ChainedEntry>`
        select ${COLUMNS} from history where ${matching}`.execute(db.k);
      for (const entry of rows) hashes.set(entry.id, hashEntry(entry));
    }
  };
  for (const page of chunks(ids, stays ? HASHES_PAGE : ENTRIES_PAGE)) {
    const [first, last] = [Math.min(...page), Math.max(...page)];
    if (last - first < page.length) await read(sql`id between ${first} and ${last}`);
    else {
      for (const chunk of chunks(page, [250, 50, 1])) await read(sql`id in (${sql.join(chunk)})`);
    }
  }
  return hashes;
}

const COLUMNS = sql.raw(
  'id, at, user_id, username, address, call, scope, thing_id, row_id, version, kind, changes',
);

/** The text of which `hashEntry` makes the hash. */
function textOfEntry(db: Transaction): RawBuilder<unknown> {
  if (db.dialect === 'sqlite') return sql`json_array(${COLUMNS})`;
  const text = (column: string) => sql`to_json(${sql.ref(column)}::text)::text`;
  const orNull = (value: RawBuilder<unknown>) => sql`coalesce(${value}, 'null')`;
  const columns = [
    sql`id`,
    sql`at`,
    orNull(sql`user_id::text`),
    text('username'),
    orNull(text('address')),
    text('call'),
    text('scope'),
    sql`thing_id`,
    sql`row_id`,
    sql`version`,
    text('kind'),
    text('changes'),
  ];
  return sql`'[' || concat_ws(',', ${sql.join(columns)}) || ']'`;
}

export async function countEntries(db: Transaction): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from history`.execute(
    db.k,
  );
  return rows[0]?.count ?? 0;
}

const IDS_PAGE = 5_000;

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
