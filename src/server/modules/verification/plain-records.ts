import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { keywordTable, tableName, valueColumn } from '#server/database/records/columns.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { ValueType } from '#shared/values.ts';
import { keywordChangeName } from '../history/history.service.ts';
import { filesChange } from '../files/files.service.ts';
import { concatenated, fixedText, jsonDate, jsonText } from './json-text.ts';
import { TOLD_LATER } from './rebuilt.ts';

/** A part of an archive or table, of which the plain records are done with. */
export interface Slice {
  /** records and their entries, those of the others included */
  readonly records: number;
  readonly entries: number;
  /**
   * The ids, ascending, of all that are not plain: of records and of entries without one. Plain is a record that is,
   * to the letter, what its only entry says.
   */
  readonly others: readonly number[];
}

/** Ids of rows: above `after`, up to `upTo`. */
export interface IdRange {
  readonly after: number;
  readonly upTo: number;
}

export const ALL_IDS: IdRange = {
  after: Number.MIN_SAFE_INTEGER,
  upTo: Number.MAX_SAFE_INTEGER,
};

/** So many entries together; on SQLite the thread computes meanwhile. */
const ENTRIES_AT_ONCE = 2_000;

/**
 * Has the database compare each record with the text of its only entry, which takes a third of the time of reading
 * both. What is found equal is so; what is not may be written in another way and is to be compared value by value.
 */
export async function* walkSlices(
  db: Transaction,
  collection: Collection,
  range: IdRange,
): AsyncGenerator<Slice> {
  const matching = matchOf(db, collection);
  for (let { after } = range; ;) {
    const upTo = await endOfStretch(db, collection, { after, upTo: range.upTo });
    yield await readStretch(db, collection, matching, { after, upTo: upTo ?? range.upTo });
    if (upTo === undefined) return;
    after = upTo;
  }
}

/** @returns undefined where there are not so many more */
async function endOfStretch(
  db: Transaction,
  collection: Collection,
  { after, upTo }: IdRange,
): Promise<number | undefined> {
  const { rows } = await sql<{ row_id: number }>`
    select row_id from history ${ofCollection(collection)} and row_id > ${after} and row_id <= ${upTo}
    order by row_id limit 1 offset ${ENTRIES_AT_ONCE - 1}`.execute(db.k);
  return rows[0]?.row_id;
}

/** An id in the middle of those of an archive or table, so that two may go through half of them each. */
export async function middleOf(db: Transaction, collection: Collection): Promise<number> {
  const { rows } = await sql<{ least: number | null; greatest: number | null }>`
    select min(row_id) as least, max(row_id) as greatest from history ${ofCollection(collection)}`.execute(
    db.k,
  );
  const { least = null, greatest = null } = rows[0] ?? {};
  return Math.floor(((least ?? 0) + (greatest ?? 0)) / 2);
}

async function readStretch(
  db: Transaction,
  collection: Collection,
  matching: RawBuilder<unknown>,
  { after, upTo }: IdRange,
): Promise<Slice> {
  const table = sql.table(tableName(collection));
  const entriesThere = sql`from history ${ofCollection(collection)} and row_id > ${after} and row_id <= ${upTo}`;
  const { rows } = await sql<{ records: number; entries: number; others: string | null }>`
    select count(*) as records, (select count(*) ${entriesThere}) as entries,
      string_agg(case when matches = 1 then null else cast(_id as text) end, ',') as others
    from (
      select _id, (
        select case when count(*) = 1 then max(${matching}) end
        from history as entry ${ofCollection(collection)} and row_id = record._id
      ) as matches from ${table} as record where _id > ${after} and _id <= ${upTo}
    ) as compared`.execute(db.k);
  const { records = 0, entries = 0, others: told = null } = rows[0] ?? {};
  const others = told === null ? [] : told.split(',').map(Number);
  // Each plain record has one.
  if (entries !== records - others.length) {
    const without = await sql<{ row_id: number }>`
      select distinct row_id ${entriesThere}
      and not exists (select 1 from ${table} as record where record._id = history.row_id)`.execute(
      db.k,
    );
    others.push(...without.rows.map(({ row_id }) => row_id));
  }
  return { records, entries, others: others.toSorted((a, b) => a - b) };
}

const ofCollection = ({ kind, id }: Collection) => sql`where scope = ${kind} and thing_id = ${id}`;

/** 1 where `record` is what `entry` says, its only one; else 0 or null. */
function matchOf(db: Transaction, collection: Collection): RawBuilder<unknown> {
  const document =
    collection.kind === 'archive'
      ? sql`and record._document_id = record._id and record._revision = 1 and record._locked_session is null`
      : sql``;
  return sql`case when entry.version = 1 and record._version = 1 and entry.kind in ('create', 'load')
      and record._created_at = entry.at and record._changed_by = entry.username
      and record._changed_at between entry.at - ${sql.lit(TOLD_LATER)} and entry.at ${document}
    then case when entry.changes = ${changesOf(db, collection)} then 1 else 0 end end`;
}

/** The changes of the entry with which `record` would have come to be as it is. */
function changesOf(db: Transaction, collection: Collection): RawBuilder<unknown> {
  const change = (name: string, before: 'null' | '[]', after: RawBuilder<unknown>) => {
    const about = `,{"name":${JSON.stringify(name)},"before":${before},"after":`;
    return concatenated([fixedText(db, about), after, sql`'}'`]);
  };
  const parts = collection.fields.map((field) => {
    const value = sql.ref(`record.${valueColumn(field)}`);
    const told = change(field.name, 'null', jsonValue(db, field.type, value));
    return sql`case when ${value} is not null then ${told} end`;
  });
  const list = (name: string, of: RawBuilder<unknown>, from: RawBuilder<unknown>) => {
    const items = sql`string_agg(${jsonText(db, of)}, ',' order by position)`;
    const told = change(name, '[]', concatenated([sql`'['`, items, sql`']'`]));
    return sql`(select case when count(*) > 0 then ${told} end from ${from})`;
  };
  for (const { name, number } of collection.keywordFields) {
    const from = sql`${sql.table(keywordTable(collection))} as keyword
      where keyword._id = record._id and field = ${sql.lit(number)}`;
    parts.push(list(keywordChangeName(name), sql.ref('keyword.value'), from));
  }
  if (collection.kind === 'archive') {
    const from = sql`files where files.archive_id = ${sql.lit(collection.id)} and files.row_id = record._id`;
    parts.push(list(filesChange([], []).name, sql.ref('files.name'), from));
  }
  return concatenated([sql`'['`, sql`substr(${concatenated(parts)}, 2)`, sql`']'`]);
}

function jsonValue(
  db: Transaction,
  type: ValueType,
  value: RawBuilder<unknown>,
): RawBuilder<unknown> {
  switch (type) {
    case 'boolean':
      return db.dialect === 'sqlite'
        ? sql`case ${value} when 1 then 'true' else 'false' end`
        : sql`case when ${value} then 'true' else 'false' end`;
    case 'integer':
      return value;
    case 'decimal':
      // SQLite writes 3.0 for 3; all digits of others, so that two values never look the same.
      return db.dialect === 'sqlite'
        ? sql`case when ${value} = cast(${value} as integer) then cast(${value} as integer)
            else json_quote(${value}) end`
        : value;
    case 'date':
      return jsonDate(db, value);
    default:
      return jsonText(db, value);
  }
}
