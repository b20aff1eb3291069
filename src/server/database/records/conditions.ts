import { sql, type RawBuilder } from 'kysely';
import { countCodePoints } from '#shared/code-points.ts';
import { fold, searchNeedle, searchNeedles } from '#shared/fold.ts';
import type { Condition, ListColumn, ListFilter } from '#shared/lists.ts';
import { nameKey } from '#shared/names.ts';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { tableName } from './columns.ts';
import { allOf, COMPARISONS, contains, type SelectedSet, type Sql } from './comparisons.ts';
import { keywordSet, keywordSql } from './keyword-conditions.ts';
import type { SetOf } from './filter-cache.ts';
import { byIndex, sourceOf, type PlainSource, type TextSource } from './source.ts';
import { indexHits, recordsDue, searchHits } from './search-index.ts';
import { isLongKey, longKeySql, sortKey } from './sort-key.ts';

/** The trigram indexes of both databases need three characters to look for. */
const SHORTEST_INDEXED = 3;

/** Up to so many records SQLite had better look at each than read all that another index finds. */
export const SMALL_SET_LIMIT = 2_000;

/** One condition that a filter asks of a record. */
export interface Part extends SetOf {
  /** how SQLite finds all that meet it; null on PostgreSQL */
  readonly set: (() => Promise<SelectedSet>) | null;
}

/** A filter over the rows of a record table: what meets all its parts. */
export type Filter = readonly Part[];

/**
 * What a filter and a search mean for the rows of a record table.
 * @param few up to how many hits of the full-text index are looked at, each, for a part of one field
 */
export async function filterOf(
  db: Transaction,
  collection: Collection,
  filter: ListFilter,
  few = SMALL_SET_LIMIT,
): Promise<Filter> {
  const needles = searchNeedles(filter.q);
  const holding = (needle: string) =>
    contains(db, sql.ref(`${tableName(collection)}._search`), needle);
  if (db.dialect === 'postgres') {
    const tests = [
      ...filter.where.map((condition) => conditionSql(db, collection, condition)),
      ...needles.map(holding),
      ...narrowed(db, collection, filter),
    ];
    return tests.map((test) => ({ key: '', test, name: null, set: null }));
  }
  const parts = filter.where.map((condition) => partOf(db, collection, condition, few));
  const indexed = needles.filter(isIndexed);
  if (indexed.length > 0) {
    const of = { key: keyOf('search', indexed), test: allOf(indexed.map(holding)), name: null };
    const doubtful = recordsDue(collection);
    parts.push(selecting(of, indexHits(collection, indexed), { ascending: true, doubtful }));
  }
  for (const needle of needles.filter((word) => !isIndexed(word))) {
    const test = holding(needle);
    const select = sql`select _id from ${sql.table(tableName(collection))} where ${test}`;
    const of = { key: keyOf('search', needle), test, name: null };
    parts.push(selecting(of, select, { ascending: true }));
  }
  return parts;
}

function keyOf(...about: readonly unknown[]): string {
  return JSON.stringify(about);
}

function selecting(of: SetOf, select: RawBuilder<unknown>, more: Partial<SelectedSet> = {}): Part {
  const set = { select, without: false, ascending: false, doubtful: null, ...more };
  return { ...of, set: () => Promise.resolve(set) };
}

/** One condition for SQLite. */
function partOf(db: Transaction, collection: Collection, condition: Condition, few: number): Part {
  const { column, ...asked } = condition;
  const test = conditionSql(db, collection, condition);
  if (column.kind === 'keyword') {
    const key = keyOf(column.kind, nameKey(column.name), asked);
    return { key, test, name: null, set: () => keywordSet(db, collection, condition) };
  }
  const source = sourceOf(db, collection, column);
  const of = {
    key: keyOf(source.index, asked),
    test,
    name: column.kind === 'field' ? column.name : null,
  };
  if (source.kind === 'text' && condition.op === 'like') {
    const { folded } = condition;
    const set = async () => ({
      select: await holdersOf(db, collection, source, folded, few),
      without: false,
      ascending: false,
      doubtful: null,
    });
    return { ...of, set };
  }
  const select = sql`select _id from ${byIndex(collection, source.index)} where ${test}`;
  // Of equal values an index has the ids in their order.
  return selecting(of, select, { ascending: condition.op === 'eq' });
}

/** Up to so many characters a text's start stands whole in its key. */
const LONGEST_START = 200;

/** Whether the folded text of a field starts so. */
export function startingWith(
  db: Transaction,
  collection: Collection,
  column: ListColumn,
  folded: string,
): Part {
  const source = sourceOf(db, collection, column);
  if (source.kind !== 'text') throw new Error('Only texts start with something');
  const length = countCodePoints(folded, LONGEST_START);
  const range = sql<boolean>`${source.key} >= ${folded} and ${source.key} < ${`${folded}\u{10ffff}\u{10ffff}`}`;
  const exact = sql<boolean>`substr(${sql.ref(source.fold)}, 1, ${Array.from(folded).length}) = ${folded}`;
  // What the key adds to the text is not to be found in it.
  const ranged = length <= LONGEST_START && !KEY_MARKS.test(folded);
  const test = ranged ? allOf([range, exact]) : exact;
  const of = { key: keyOf(source.index, 'start', folded), test, name: column.name };
  if (db.dialect === 'postgres') return { ...of, set: null };
  const table = byIndex(collection, ranged ? source.index : null);
  return selecting(of, sql`select _id from ${table} where ${ranged ? range : exact}`);
}

const KEY_MARKS = /[\u{1}\u{10ffff}]/u;

/**
 * How SQLite finds a part of one field: by the full-text index over all fields where that finds few records,
 * each of which is then looked at; else by the field's own index, whose keys hold the folded texts, and a look
 * at the few that are too long for their keys.
 */
async function holdersOf(
  db: Transaction,
  collection: Collection,
  source: TextSource,
  folded: string,
  few: number,
): Promise<RawBuilder<unknown>> {
  const table = sql.table(tableName(collection));
  const test = contains(db, sql.ref(source.fold), folded);
  const needle = searchNeedle(folded);
  if (source.fieldNumber !== null && isIndexed(needle)) {
    const found = searchHits(db, collection, [needle]);
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from (${found} limit ${few + 1})`.execute(db.k);
    if ((rows[0]?.count ?? 0) <= few)
      return sql`select _id from ${table} where _id in (${found}) and ${test}`;
  }
  // What the key adds to the text is not to be found in it.
  if (KEY_MARKS.test(folded)) return sql`select _id from ${table} where ${test}`;
  const { key } = source;
  const byKey = sql`select _id from ${byIndex(collection, source.index)} where instr(${key}, ${folded}) > 0`;
  // A name of a user is never that long.
  if (source.fieldNumber === null) return byKey;
  const isLong = longKeySql({ number: source.fieldNumber, type: 'text' });
  return sql`${byKey} union all
    select _id from ${table} where ${isLong} and ${test} and instr(${key}, ${folded}) = 0`;
}

/** PostgreSQL: the trigram index over the search texts narrows down what must be looked at in one field. */
function narrowed(db: Transaction, collection: Collection, filter: ListFilter): Sql[] {
  return filter.where.flatMap((condition) => {
    if (condition.op !== 'like' || condition.column.kind !== 'field') return [];
    const needle = searchNeedle(condition.folded);
    return isIndexed(needle)
      ? [contains(db, sql.ref(`${tableName(collection)}._search`), needle)]
      : [];
  });
}

function isIndexed(needle: string): boolean {
  return countCodePoints(needle, SHORTEST_INDEXED) >= SHORTEST_INDEXED;
}

/** A filter as conditions on each record. */
export function testsOf(filter: Filter): readonly Sql[] {
  return filter.map(({ test }) => test);
}

function conditionSql(db: Transaction, collection: Collection, condition: Condition): Sql {
  if (condition.column.kind === 'keyword') return keywordSql(db, collection, condition);
  const source = sourceOf(db, collection, condition.column);
  return source.kind === 'text' ? textSql(db, source, condition) : plainSql(source, condition);
}

function plainSql(source: PlainSource, condition: Condition): Sql {
  const column = sql.ref(source.column);
  switch (condition.op) {
    case 'null':
      return condition.isNull ? sql`${column} is null` : sql`${column} is not null`;
    case 'in':
      return sql`${column} in (${sql.join(condition.values.map((value) => source.stored(value)))})`;
    case 'eq':
      return sql`${column} = ${source.stored(condition.value)}`;
    case 'ne':
      return sql`(${column} <> ${source.stored(condition.value)} or ${column} is null)`;
    case 'like':
      throw new Error('like is for text alone');
    default:
      return sql`${column} ${COMPARISONS[condition.op]} ${source.stored(condition.value)}`;
  }
}

function textSql(db: Transaction, source: TextSource, condition: Condition): Sql {
  const { key } = source;
  const [value, folded] = [sql.ref(source.value), sql.ref(source.fold)];
  switch (condition.op) {
    case 'null':
      return condition.isNull
        ? sql`(${key} is null or ${key} = ${sortKey('')})`
        : sql`(${key} is not null and ${key} <> ${sortKey('')})`;
    case 'in': {
      const texts = condition.values.map(String);
      const keys = texts.map(sortKey);
      const among = sql<boolean>`${key} in (${sql.join(keys)})`;
      return keys.some(isLongKey) ? sql`(${among} and ${value} in (${sql.join(texts)}))` : among;
    }
    case 'like':
      return contains(db, folded, condition.folded);
    default:
      return compareText(condition.op, key, folded, value, String(condition.value));
  }
}

/**
 * Compares by the key alone, which an index answers without a look at the record; texts that the key cuts are
 * compared themselves as well.
 */
function compareText(
  op: 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte',
  key: RawBuilder<unknown>,
  folded: RawBuilder<unknown>,
  value: RawBuilder<unknown>,
  text: string,
): Sql {
  const wanted = sortKey(text);
  const long = isLongKey(wanted);
  switch (op) {
    case 'eq':
      return long ? sql`(${key} = ${wanted} and ${value} = ${text})` : sql`${key} = ${wanted}`;
    case 'ne':
      return long
        ? sql`(${value} <> ${text} or ${value} is null)`
        : sql`(${key} <> ${wanted} or ${key} is null)`;
    default: {
      if (!long) return sql`${key} ${COMPARISONS[op]} ${wanted}`;
      const bound = op === 'gt' || op === 'gte' ? sql`>=` : sql`<=`;
      return sql`(${key} ${bound} ${wanted} and (${folded}, ${value}) ${COMPARISONS[op]} (${fold(text)}, ${text}))`;
    }
  }
}
