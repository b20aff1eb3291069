import { sql, type RawBuilder } from 'kysely';
import { countCodePoints } from '#shared/code-points.ts';
import { fold, searchNeedle, searchNeedles } from '#shared/fold.ts';
import type { Condition, ListFilter } from '#shared/lists.ts';
import { nameKey } from '#shared/names.ts';
import { instantOf, type Scalar } from '#shared/values.ts';
import type { Thing } from '../../modules/definitions/stored-definition.ts';
import type { Db } from '../database.ts';
import {
  foldColumn,
  instantColumn,
  keywordTable,
  searchTable,
  tableName,
  toStored,
  valueColumn,
} from './columns.ts';
import { keyExpression, sortKey } from './sort-key.ts';

export type Sql = RawBuilder<boolean>;

/** The trigram indexes of both databases need three characters to look for. */
const SHORTEST_INDEXED = 3;

/** The conditions of a filter over the rows of a record table, to be joined by *and*. */
export function filterConditions(db: Db, thing: Thing, filter: ListFilter): Sql[] {
  return [
    ...filter.where.map((condition) => conditionSql(db, thing, condition)),
    ...searchNeedles(filter.q).map((needle) => containsInSearch(db, thing, needle)),
  ];
}

/** All of the conditions; true where there are none. */
export function allOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? sql<boolean>`1 = 1` : sql`${sql.join(conditions, sql` and `)}`;
}

/** A column that can be filtered or sorted by, as the database has it. */
export type Source =
  | {
      readonly kind: 'text';
      readonly value: string;
      readonly fold: string;
      readonly fieldNumber: number | null;
    }
  /** `stored` makes what the column holds of a value */
  | {
      readonly kind: 'plain';
      readonly column: string;
      stored(value: Scalar): string | number | boolean | null;
    };

/** Finds the database column of a field or meta column. */
export function sourceOf(db: Db, thing: Thing, column: Condition['column']): Source {
  if (column.kind === 'meta') {
    switch (column.name) {
      case 'changedAt':
        return {
          kind: 'plain',
          column: '_changed_at',
          stored: (value) => instantOf(String(value)),
        };
      case 'changedBy':
        return { kind: 'text', value: '_changed_by', fold: '_changed_by_fold', fieldNumber: null };
      default:
        return { kind: 'plain', column: '_id', stored: (value) => toStored(db.dialect, value) };
    }
  }
  const field = thing.fields.find(({ name }) => nameKey(name) === nameKey(column.name));
  if (!field) throw new Error(`No field ${column.name} in ${thing.name}`);
  switch (field.type) {
    case 'text':
      return {
        kind: 'text',
        value: valueColumn(field),
        fold: foldColumn(field),
        fieldNumber: field.number,
      };
    case 'datetime':
      return {
        kind: 'plain',
        column: instantColumn(field),
        stored: (value) => instantOf(String(value)),
      };
    default:
      return {
        kind: 'plain',
        column: valueColumn(field),
        stored: (value) => toStored(db.dialect, value),
      };
  }
}

const COMPARISONS = { gt: sql`>`, gte: sql`>=`, lt: sql`<`, lte: sql`<=` } as const;

function conditionSql(db: Db, thing: Thing, condition: Condition): Sql {
  if (condition.column.kind === 'keyword') return keywordSql(db, thing, condition);
  const source = sourceOf(db, thing, condition.column);
  return source.kind === 'text'
    ? textSql(db, thing, source, condition)
    : plainSql(source, condition);
}

function plainSql(source: Extract<Source, { kind: 'plain' }>, condition: Condition): Sql {
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

function textSql(
  db: Db,
  thing: Thing,
  source: { readonly value: string; readonly fold: string },
  condition: Condition,
): Sql {
  const [value, folded] = [sql.ref(source.value), sql.ref(source.fold)];
  const key = keyExpression(db.dialect, source.fold, source.value);
  switch (condition.op) {
    case 'null':
      return condition.isNull
        ? sql`(${value} is null or ${value} = '')`
        : sql`(${value} is not null and ${value} <> '')`;
    case 'in': {
      const texts = condition.values.map(String);
      return sql`(${key} in (${sql.join(texts.map(sortKey))}) and ${value} in (${sql.join(texts)}))`;
    }
    case 'eq':
      return sql`(${key} = ${sortKey(String(condition.value))} and ${value} = ${condition.value})`;
    case 'ne':
      return sql`(${value} <> ${condition.value} or ${value} is null)`;
    case 'like': {
      const contained = contains(db, folded, condition.folded);
      // The index over the search texts narrows it down; usernames are not in those.
      const needle = searchNeedle(condition.folded);
      return thing.fields.some((field) => foldColumn(field) === source.fold) &&
        countCodePoints(needle, SHORTEST_INDEXED) >= SHORTEST_INDEXED
        ? sql`(${containsInSearch(db, thing, needle)} and ${contained})`
        : contained;
    }
    default: {
      const text = String(condition.value);
      const comparison = COMPARISONS[condition.op];
      const bound = condition.op === 'gt' || condition.op === 'gte' ? sql`>=` : sql`<=`;
      return sql`(${key} ${bound} ${sortKey(text)} and (${folded}, ${value}) ${comparison} (${fold(text)}, ${text}))`;
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

/** Whether the search text of a record holds the needle, by the trigram index where the needle is long enough. */
function containsInSearch(db: Db, thing: Thing, needle: string): Sql {
  if (db.dialect === 'sqlite' && countCodePoints(needle, SHORTEST_INDEXED) >= SHORTEST_INDEXED) {
    const phrase = `"${needle.replaceAll('"', '""')}"`;
    const search = sql.table(searchTable(thing));
    return sql`_id in (select rowid from ${search} where text match ${phrase})`;
  }
  return contains(db, sql.ref(`${tableName(thing)}._search`), needle);
}
