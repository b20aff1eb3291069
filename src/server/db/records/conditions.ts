import { sql, type RawBuilder } from 'kysely';
import { countCodePoints } from '#shared/code-points.ts';
import { fold, searchNeedle, searchNeedles } from '#shared/fold.ts';
import type { Condition, ListFilter } from '#shared/lists.ts';
import { nameKey } from '#shared/names.ts';
import type { Thing } from './thing.ts';
import type { Db } from '../database.ts';
import { keywordTable, searchTable, tableName } from './columns.ts';
import { sourceOf, type PlainSource, type TextSource } from './source.ts';
import { hasLongTexts } from './long-texts.ts';
import { isLongKey, keyExpression, sortKey } from './sort-key.ts';

export type Sql = RawBuilder<boolean>;

/** The trigram indexes of both databases need three characters to look for. */
const SHORTEST_INDEXED = 3;

/** From so many matches on, SQLite had better follow an index than look at each (measured on 69,202 records). */
export const MANY = 2_000;

/** A filter over the rows of a record table: what meets all conditions and is in all sets. */
export interface Filter {
  readonly conditions: readonly Sql[];
  /** SQLite alone: tables of `_id` that an index answers by itself */
  readonly sets: readonly RawBuilder<unknown>[];
}

/** What a filter and a search mean for the rows of a record table. */
export async function filterOf(db: Db, thing: Thing, filter: ListFilter): Promise<Filter> {
  const conditions: Sql[] = [];
  const sets: RawBuilder<unknown>[] = [];
  const phrases: string[] = [];
  for (const condition of filter.where) {
    const part = condition.op === 'like' && (await likeByIndex(db, thing, condition));
    if (!part) conditions.push(conditionSql(db, thing, condition));
    else if (part.by === 'key') sets.push(part.set);
    else {
      phrases.push(part.phrase);
      conditions.push(conditionSql(db, thing, condition));
    }
  }
  for (const needle of searchNeedles(filter.q)) {
    if (db.dialect === 'sqlite' && isIndexed(needle)) phrases.push(phraseOf(needle));
    else conditions.push(contains(db, sql.ref(`${tableName(thing)}._search`), needle));
  }
  if (db.dialect === 'postgres') conditions.push(...narrowed(db, thing, filter));
  if (phrases.length > 0) sets.push(matches(thing, phrases.join(' AND ')));
  return { conditions, sets };
}

/**
 * How SQLite finds a part of one field: by the full-text index over all fields where that finds few records,
 * each of which is then looked at; else by the field's own index, whose keys hold the folded texts.
 */
async function likeByIndex(
  db: Db,
  thing: Thing,
  { column, folded }: Condition & { op: 'like' },
): Promise<{ by: 'search'; phrase: string } | { by: 'key'; set: RawBuilder<unknown> } | null> {
  const source = column.kind === 'keyword' ? null : sourceOf(db, thing, column);
  if (db.dialect !== 'sqlite' || source?.kind !== 'text' || source.fieldNumber === null)
    return null;
  const needle = searchNeedle(folded);
  const phrase = isIndexed(needle) ? phraseOf(needle) : null;
  if (phrase !== null) {
    const { rows } = await sql<{ found: number }>`
      select count(*) as found from (select 1 from ${matches(thing, phrase)} limit ${MANY + 1}) as counted`.execute(
      db.k,
    );
    if ((rows[0]?.found ?? 0) <= MANY) return { by: 'search', phrase };
  }
  if (folded.includes('\u0001') || (await hasLongTexts(db, thing, source.fieldNumber))) {
    return phrase === null ? null : { by: 'search', phrase };
  }
  const key = keyExpression(db.dialect, source.fold, source.value);
  return {
    by: 'key',
    set: sql`(select _id from ${sql.table(tableName(thing))} indexed by ${sql.ref(source.index)}
      where instr(${key}, ${folded}) > 0) as holding`,
  };
}

/** PostgreSQL: the trigram index over the search texts narrows down what must be looked at in one field. */
function narrowed(db: Db, thing: Thing, filter: ListFilter): Sql[] {
  return filter.where.flatMap((condition) => {
    if (condition.op !== 'like' || condition.column.kind !== 'field') return [];
    const needle = searchNeedle(condition.folded);
    return isIndexed(needle) ? [contains(db, sql.ref(`${tableName(thing)}._search`), needle)] : [];
  });
}

function isIndexed(needle: string): boolean {
  return countCodePoints(needle, SHORTEST_INDEXED) >= SHORTEST_INDEXED;
}

function phraseOf(needle: string): string {
  return `"${needle.replaceAll('"', '""')}"`;
}

/** The records that the full-text index finds, in the order of their ids. */
function matches(thing: Thing, match: string): RawBuilder<unknown> {
  return sql`(select rowid as _id from ${sql.table(searchTable(thing))} where text match ${match}) as found`;
}

/** All of a filter as conditions. */
export function conditionsOf({ conditions, sets }: Filter): readonly Sql[] {
  return [...conditions, ...sets.map(isIn)];
}

/** The same conditions, each as a set that its own index answers, for lists that follow another index. */
export function conditionsBySets(thing: Thing, { conditions, sets }: Filter): readonly Sql[] {
  const table = sql.table(tableName(thing));
  return [
    ...conditions.map(
      (condition) => sql<boolean>`_id in (select _id from ${table} where ${condition})`,
    ),
    ...sets.map(isIn),
  ];
}

/** Where all that the filter finds can be read, one row each. */
export function filtered(thing: Thing, filter: Filter): RawBuilder<unknown> {
  const [first, ...others] = filter.sets;
  if (first && filter.conditions.length === 0)
    return sql`${first} where ${allOf(others.map(isIn))}`;
  return sql`${sql.table(tableName(thing))} where ${allOf(conditionsOf(filter))}`;
}

function isIn(set: RawBuilder<unknown>): Sql {
  return sql`_id in (select _id from ${set})`;
}

/** All of the conditions; true where there are none. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql<boolean>`1 = 1` : sql`${sql.join(conditions, sql` and `)}`;
}

const COMPARISONS = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` } as const;

function conditionSql(db: Db, thing: Thing, condition: Condition): Sql {
  if (condition.column.kind === 'keyword') return keywordSql(db, thing, condition);
  const source = sourceOf(db, thing, condition.column);
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

function textSql(db: Db, source: TextSource, condition: Condition): Sql {
  const [value, folded] = [sql.ref(source.value), sql.ref(source.fold)];
  const key = keyExpression(db.dialect, source.fold, source.value);
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

function keywordSql(db: Db, thing: Thing, condition: Condition): Sql {
  const name = nameKey(condition.column.name).slice('keyword.'.length);
  const number = thing.keywordFields.find((field) => nameKey(field.name) === name)?.number ?? -1;
  const having = (test: RawBuilder<unknown>) =>
    sql<boolean>`_id in (select _id from ${sql.table(keywordTable(thing))} where field = ${number} ${test})`;
  switch (condition.op) {
    case 'null':
      return condition.isNull ? sql`not ${having(sql``)}` : having(sql``);
    case 'in':
      return having(sql`and value in (${sql.join(condition.values)})`);
    case 'eq':
      return having(sql`and value = ${condition.value}`);
    case 'ne':
      return sql`not ${having(sql`and value = ${condition.value}`)}`;
    case 'like':
      return having(sql`and ${contains(db, sql.ref('value_fold'), condition.folded)}`);
    default: {
      const text = String(condition.value);
      return having(
        sql`and (value_fold, value) ${COMPARISONS[condition.op]} (${fold(text)}, ${text})`,
      );
    }
  }
}

function contains(db: Db, column: RawBuilder<unknown>, needle: string): Sql {
  return db.dialect === 'sqlite'
    ? sql`instr(${column}, ${needle}) > 0`
    : sql`${column} like ${`%${needle.replaceAll(/[\\%_]/g, '\\$&')}%`}`;
}
