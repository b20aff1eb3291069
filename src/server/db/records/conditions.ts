import { sql, type RawBuilder } from 'kysely';
import { countCodePoints } from '#shared/code-points.ts';
import { fold, searchNeedle, searchNeedles } from '#shared/fold.ts';
import type { Condition, ListFilter } from '#shared/lists.ts';
import { nameKey } from '#shared/names.ts';
import type { Thing } from '../../modules/definitions/stored-definition.ts';
import type { Db } from '../database.ts';
import { keywordTable, searchTable, tableName } from './columns.ts';
import { sourceOf, type PlainSource, type TextSource } from './source.ts';
import { isLongKey, keyExpression, sortKey } from './sort-key.ts';

export type Sql = RawBuilder<boolean>;

/** The trigram indexes of both databases need three characters to look for. */
const SHORTEST_INDEXED = 3;

/** A filter over the rows of a record table. */
export interface Filter {
  /** to be joined by *and* */
  readonly conditions: readonly Sql[];
  /** SQLite alone: what the full-text index must match as well; null: nothing */
  readonly match: string | null;
}

/** What a filter and a search mean for the rows of a record table. */
export function filterOf(db: Db, thing: Thing, filter: ListFilter): Filter {
  const conditions = filter.where.map((condition) => conditionSql(db, thing, condition));
  const phrases: string[] = [];
  const needles = searchNeedles(filter.q);
  for (const { column, ...condition } of filter.where) {
    // The search texts hold those of all fields, so they narrow down where one field must be looked at.
    if (condition.op === 'like' && column.kind === 'field')
      needles.push(searchNeedle(condition.folded));
  }
  for (const needle of needles) {
    const indexed = countCodePoints(needle, SHORTEST_INDEXED) >= SHORTEST_INDEXED;
    if (db.dialect === 'sqlite' && indexed) phrases.push(`"${needle.replaceAll('"', '""')}"`);
    else if (needle !== '')
      conditions.push(contains(db, sql.ref(`${tableName(thing)}._search`), needle));
  }
  return { conditions, match: phrases.length > 0 ? phrases.join(' AND ') : null };
}

/** The conditions of a filter, that of the full-text index included. */
export function conditionsOf(thing: Thing, { conditions, match }: Filter): readonly Sql[] {
  return match === null
    ? conditions
    : [...conditions, sql`_id in (select _id from ${matches(thing, match)})`];
}

/** The ids of the records that the full-text index finds, in their order. */
export function matches(thing: Thing, match: string): RawBuilder<unknown> {
  return sql`(select rowid as _id from ${sql.table(searchTable(thing))} where text match ${match}) as found`;
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

/**
 * The same conditions, each as a set of ids that its own index answers: for lists in the order of another
 * index, whose records need not be looked at then.
 */
export function asIdSets(thing: Thing, filter: Filter): readonly Sql[] {
  return conditionsOf(thing, {
    ...filter,
    conditions: filter.conditions.map(
      (condition) =>
        sql`_id in (select _id from ${sql.table(tableName(thing))} where ${condition})`,
    ),
  });
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
