import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../database.ts';
import { searchTable, tableName, type CollectionRef } from '../records/columns.ts';
import { allOf } from '../records/comparisons.ts';
import type { Collection } from '../records/collection.ts';

/** Memory that SQLite's full-text index uses before it writes, in bytes: its default, and the value for many texts. */
const SEARCH_MEMORY = { normal: 1_048_576, many: 16_777_216 } as const;

/**
 * By default the full-text index merges segments within commits, sometimes for 100 ms. So automatic merging is left to
 * `mergeSearch`, unless it falls far behind. It merges only many segments of one level, or one segment of which this
 * percentage was replaced, so that the large segment of a fill is seldom merged: a merge does not stop within a term, and
 * one of that segment may take 300 ms. Migrations set these options in existing indexes.
 */
const MERGING = { automerge: 0, crisismerge: 64, usermerge: 16, deletemerge: 50 } as const;

/**
 * Merges the segments of a fill by so many, so that its last merge, of all, writes a segment of a higher level than those
 * of the first saves: with them, it would be merged again at once.
 */
const CRISISMERGE_OF_FILLS = 16;

/** Makes the full-text index over the search texts of an archive or data table, on SQLite. */
export async function createSearchTable(db: Transaction, collection: CollectionRef): Promise<void> {
  await sql`create virtual table ${sql.table(searchTable(collection))}
    using fts5(text, content='', contentless_delete=1, tokenize='trigram case_sensitive 1')`.execute(
    db.k,
  );
  for (const [name, value] of Object.entries(MERGING)) {
    await setSearchOption(db, collection, name, value);
  }
}

/**
 * From this number of texts on segments remain that would otherwise be merged during the first saves, and slow them
 * down.
 */
const MANY_TEXTS = 10_000;

/**
 * Adds the texts of all records that are not in the full-text index, in one statement, because each statement writes a
 * segment.
 */
export async function fillSearch(db: Transaction, collection: CollectionRef): Promise<void> {
  const [table, search] = [sql.table(tableName(collection)), sql.table(searchTable(collection))];
  await setSearchOption(db, collection, 'hashsize', SEARCH_MEMORY.many);
  await setSearchOption(db, collection, 'crisismerge', CRISISMERGE_OF_FILLS);
  const { numAffectedRows = 0n } =
    await sql`insert into ${search} (rowid, text) select _id, _search from ${table}
    where _id not in (select rowid from ${search})`.execute(db.k);
  await setSearchOption(db, collection, 'hashsize', SEARCH_MEMORY.normal);
  await setSearchOption(db, collection, 'crisismerge', MERGING.crisismerge);
  if (numAffectedRows >= MANY_TEXTS) {
    await sql`insert into ${search} (${sql.ref(searchTable(collection))}) values ('optimize')`.execute(
      db.k,
    );
  }
}

/**
 * Makes the connection read the structure of all full-text indexes again. FTS5 caches it, and its integrity check does not
 * notice that another connection has changed the index since: it would report corruption. A query does.
 */
export async function refreshSearchIndexes({ k }: Transaction): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from sqlite_schema
    where sql like 'create virtual table %using fts5(%'`.execute(k);
  for (const { name } of rows) {
    await sql`select rowid from ${sql.table(name)} where text match '"any"' limit 1`.execute(k);
  }
}

/** Sets an option of the full-text index. */
async function setSearchOption(
  db: Transaction,
  collection: CollectionRef,
  name: string,
  value: number,
): Promise<void> {
  const search = sql.table(searchTable(collection));
  // A literal, because node:sqlite binds every number as a float, which is rejected here.
  await sql`insert into ${search} (${sql.ref(searchTable(collection))}, rank) values (${name}, ${sql.lit(value)})`.execute(
    db.k,
  );
}

/**
 * Records on SQLite that these records were added, changed or deleted. Updating the full-text index takes ten times as
 * long as the rest of a small write, so it follows after the answer (`indexNextRecords`); until then `searchHits` tests the
 * records themselves.
 */
export async function markSearchTextsChanged(
  db: Transaction,
  collection: CollectionRef,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  const parameters = [collection.kind, collection.id, JSON.stringify(ids)];
  await db.send({ owner: markSearchTextsChanged, name: '', build: markDueStatement }, parameters);
}

const markDueStatement = () => sql`insert or ignore into search_due (scope, thing_id, row_id)
  select ${''}, ${0}, value from json_each(${''})`;

/** The ids of the records whose search texts contain all needles, each of at least three characters; on SQLite. */
export function searchHits(
  db: Transaction,
  collection: Collection,
  needles: readonly string[],
): RawBuilder<unknown> {
  const due = outdatedRecords(collection);
  const table = sql.table(tableName(collection));
  const search = sql.ref(`${tableName(collection)}._search`);
  return sql`${fullTextHits(collection, needles)} and rowid not in (${due})
    union all select _id from ${table}
      where _id in (${due}) and ${allOf(needles.map((needle) => db.adapter.contains(search, needle)))}`;
}

/**
 * The same from the full-text index, which is correct except for `outdatedRecords`: excluding those from many hits takes ten
 * times as long as finding the hits.
 */
export function fullTextHits(
  collection: Collection,
  needles: readonly string[],
): RawBuilder<unknown> {
  const match = needles.map(phraseOf).join(' AND ');
  return sql`select rowid as _id from ${sql.table(searchTable(collection))} where text match ${match}`;
}

/** The records whose full-text index entries are outdated. */
export function outdatedRecords(collection: Collection): RawBuilder<unknown> {
  return sql`select row_id as _id from search_due where scope = ${collection.kind} and thing_id = ${collection.id}`;
}

function phraseOf(needle: string): string {
  return `"${needle.replaceAll('"', '""')}"`;
}

/**
 * An archive or data table with outdated full-text index entries, and the number of outdated records of all; or
 * undefined.
 */
export async function findOutdatedIndex(
  db: Transaction,
): Promise<{ collection: CollectionRef; due: number } | undefined> {
  const { rows } = await sql<{ scope: CollectionRef['kind']; thing_id: number; due: number }>`
    select scope, thing_id, (select count(*) from search_due) as due from search_due limit 1`.execute(
    db.k,
  );
  const [row] = rows;
  return row && { collection: { kind: row.scope, id: row.thing_id }, due: row.due };
}

/** Updates the full-text index for the next `count` outdated records. */
export async function indexNextRecords(
  db: Transaction,
  collection: CollectionRef,
  count: number,
): Promise<void> {
  const rows = await db.k
    .selectFrom('search_due')
    .select('row_id')
    .where('scope', '=', collection.kind)
    .where('thing_id', '=', collection.id)
    .orderBy('row_id')
    .limit(count)
    .execute();
  const ids = sql`select value from json_each(${JSON.stringify(rows.map(({ row_id }) => row_id))})`;
  const [table, search] = [sql.table(tableName(collection)), sql.table(searchTable(collection))];
  await sql`delete from ${search} where rowid in (${ids} where value not in (select _id from ${table}))`.execute(
    db.k,
  );
  await sql`insert or replace into ${search} (rowid, text) select _id, _search from ${table} where _id in (${ids})`.execute(
    db.k,
  );
  await sql`delete from search_due where scope = ${collection.kind} and thing_id = ${collection.id} and row_id in (${ids})`.execute(
    db.k,
  );
}

export async function hasSearchTable(db: Transaction, collection: CollectionRef): Promise<boolean> {
  const { rows } = await sql`
    select 1 from sqlite_schema where name = ${searchTable(collection)}`.execute(db.k);
  return rows.length > 0;
}

/**
 * Merges some of the segments that many small transactions have added to the full-text index.
 * @param pages how many pages are written; if most of the merged texts were replaced, many more are read for each
 * @returns whether there is more to merge
 */
export async function mergeSearch(
  db: Transaction,
  collection: CollectionRef,
  pages: number,
): Promise<boolean> {
  const changes = async () => {
    const { rows } = await sql<{ count: number }>`select total_changes() as count`.execute(db.k);
    return rows[0]?.count ?? 0;
  };
  const before = await changes();
  await setSearchOption(db, collection, 'merge', pages);
  // Setting the option itself counts as one change (https://sqlite.org/fts5.html, "The 'merge' command").
  return (await changes()) - before >= 2;
}
