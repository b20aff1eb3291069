import { sql, type RawBuilder } from 'kysely';
import { countCodePoints } from '#shared/values/code-points.ts';
import { fold, searchNeedles, parseNeedle } from '#shared/values/fold.ts';
import { isText } from '#shared/values/registry.ts';
import type { AnyOf, Condition } from '#shared/rules/lists.ts';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { checkConditionSql } from './check-conditions.ts';
import { foldColumn, keywordTable, tableName } from './columns.ts';
import { allOf, anyOf, COMPARISON_SQL, type Sql } from './comparisons.ts';
import { keywordSql } from './keyword-conditions.ts';
import type { RecordFilter } from './list-reader.ts';
import { readSearchTextsState, type SearchTextsState } from './search-texts.ts';
import { sourceOf, type PlainSource, type TextSource } from './list-column-source.ts';
import { isLongKey, sortKey } from './sort-key.ts';

/** The trigram indexes of both databases need at least three characters. */
const MIN_INDEXED_LENGTH = 3;

/** A filter as conditions on one record; to find records, use `ListReader.conditions`. */
export async function conditionsOf(
  db: Transaction,
  collection: Collection,
  filter: RecordFilter,
): Promise<Sql[]> {
  const { where, startsWith } = filter;
  const needles = searchNeedles(filter.q);
  const isExact =
    needles.length === 0 ||
    areSearchTextsExact(collection, await readSearchTextsState(db, collection));
  return [
    ...where.map((condition) => conditionSql(db, collection, condition)),
    ...needles.flatMap((needle) => searchTests(db, collection, needle, isExact)),
    ...(startsWith ? [startSql(db, collection, startsWith).test] : []),
  ];
}

/** Whether the search text of a record contains `needle`. */
export function searchSql(db: Transaction, collection: Collection, needle: string): Sql {
  return db.adapter.contains(sql.ref(`${tableName(collection)}._search`), needle);
}

/**
 * Whether the texts that a user may see of a record contain `needle`. An index of the search texts finds candidates.
 * @param isExact whether search texts contain no other texts: `areSearchTextsExact`
 */
export function searchTests(
  db: Transaction,
  collection: Collection,
  needle: string,
  isExact: boolean,
): Sql[] {
  const candidate = searchSql(db, collection, needle);
  if (isExact) return [candidate];
  const { text, startsWord } = parseNeedle(needle);
  const has = (column: RawBuilder<unknown>) =>
    startsWord ? db.adapter.startsWord(column, text) : db.adapter.contains(column, text);
  const tests = collection.fields
    .filter((field) => isText(field))
    .map((field) => has(sql.ref(`${tableName(collection)}.${foldColumn(field)}`)));
  const numbers = collection.keywordFields.map(({ number }) => number);
  if (numbers.length > 0) {
    const own = sql`keyword._id = ${sql.ref(`${tableName(collection)}._id`)}`;
    tests.push(sql`exists (select 1 from ${sql.table(keywordTable(collection))} as keyword
      where ${own} and field ${db.adapter.isAmong(numbers)} and ${has(sql.ref('value_fold'))})`);
  }
  return [candidate, anyOf(tests)];
}

/**
 * Whether search texts contain only texts of the fields of a view: not if text fields are hidden, or while the texts of
 * fields that were retired or converted are being removed from them.
 */
export function areSearchTextsExact(
  collection: Collection,
  { isComplete }: Pick<SearchTextsState, 'isComplete'>,
): boolean {
  return isComplete && !hidesTexts(collection);
}

/** Whether texts that the search text contains are hidden in a view. */
export function hidesTexts({ fields, keywordFields, restriction }: Collection): boolean {
  if (!restriction?.hidesFields) return false;
  const { fullCollection } = restriction;
  const texts = (all: Collection['fields']) => all.filter((field) => isText(field)).length;
  return (
    texts(fields) < texts(fullCollection.fields) ||
    keywordFields.length < fullCollection.keywordFields.length
  );
}

/** Whether the trigram indexes can find a text: they need three characters. */
export function isIndexed(needle: string): boolean {
  return countCodePoints(needle, MIN_INDEXED_LENGTH) >= MIN_INDEXED_LENGTH;
}

/** Up to this length, in characters, a prefix of a folded text is a prefix of its sort key. */
const MAX_PREFIX_LENGTH = 200;

/**
 * Whether the folded text of a field starts with a prefix.
 * @returns also the range of sort keys that contains all such texts; null if there is none
 */
export function startSql(
  db: Transaction,
  collection: Collection,
  { column, folded }: NonNullable<RecordFilter['startsWith']>,
): { readonly test: Sql; readonly range: Sql | null } {
  const source = sourceOf(db, collection, column);
  if (source.kind !== 'text') throw new Error('Only texts start with something');
  const exact = sql<boolean>`substr(${sql.ref(source.fold)}, 1, ${Array.from(folded).length}) = ${folded}`;
  const isRange =
    countCodePoints(folded, MAX_PREFIX_LENGTH) <= MAX_PREFIX_LENGTH && isInKey(folded);
  if (!isRange) return { test: exact, range: null };
  const range = sql<boolean>`${source.key} >= ${folded} and ${source.key} < ${`${folded}\u{10ffff}\u{10ffff}`}`;
  return { test: allOf([range, exact]), range };
}

/** Whether a part of a folded text can be searched in sort keys: not if it has characters that the key adds. */
export function isInKey(folded: string): boolean {
  return !/[\u{1}\u{10ffff}]/u.test(folded);
}

/** One condition, or alternatives, as a test of each record. */
export function conditionSql(
  db: Transaction,
  collection: Collection,
  condition: Condition | AnyOf,
): Sql {
  if ('anyOf' in condition) {
    return anyOf(condition.anyOf.map((one) => conditionSql(db, collection, one)));
  }
  if (condition.column.kind === 'keyword') return keywordSql(db, collection, condition);
  if (condition.column.kind === 'check') return checkConditionSql(db, collection, condition);
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
      return sql`${column} ${COMPARISON_SQL[condition.op]} ${source.stored(condition.value)}`;
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
      return db.adapter.contains(folded, condition.folded);
    default:
      return compareText(condition.op, key, folded, value, String(condition.value));
  }
}

/**
 * Compares by the key alone, which an index answers without reading the record; texts that the key truncates are also
 * compared themselves.
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
      if (!long) return sql`${key} ${COMPARISON_SQL[op]} ${wanted}`;
      const bound = op === 'gt' || op === 'gte' ? sql`>=` : sql`<=`;
      return sql`(${key} ${bound} ${wanted} and (${folded}, ${value}) ${COMPARISON_SQL[op]} (${fold(text)}, ${text}))`;
    }
  }
}
