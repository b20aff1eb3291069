import { sql, type RawBuilder } from 'kysely';
import * as z from 'zod';
import { fold, searchNeedle, searchNeedles } from '#shared/values/fold.ts';
import type { AnyOf, Condition } from '#shared/rules/lists.ts';
import { nameKey } from '#shared/rules/names.ts';
import { compareValues } from '#shared/values/value-rules.ts';
import type { Transaction } from '../database.ts';
import type { Collection } from '../records/collection.ts';
import { keywordTable, tableName } from '../records/columns.ts';
import { allOf, type Sql } from '../records/comparisons.ts';
import { countRows } from '../records/count-rows.ts';
import {
  conditionSql,
  areSearchTextsExact,
  hidesTexts,
  isIndexed,
  isInKey,
  searchTests,
  startSql,
} from '../records/conditions.ts';
import type { RecordFilter } from '../records/list-reader.ts';
import { keywordHaving, keywordNumber } from '../records/keyword-conditions.ts';
import { readSearchTextsState } from '../records/search-texts.ts';
import { recordsOf, selectIds, type IdList } from './id-lists.ts';
import { fullTextHits, outdatedRecords, searchHits } from './search-index.ts';
import { longKeySql } from '../records/sort-key.ts';
import { sourceOf, type TextSource } from '../records/list-column-source.ts';
import { tableByIndex } from './table-by-index.ts';

/** One condition of a filter, and how an index finds the records that meet it. */
export interface FilterPart {
  /** identifies the condition among all conditions on the same archive or table */
  readonly key: string;
  readonly test: Sql;
  /**
   * Builds a statement that selects the `_id` of each record, some possibly twice.
   * @param smallSetLimit up to this many records are tested faster one by one than by reading a whole index
   */
  select(smallSetLimit: number): Promise<RawBuilder<unknown>>;
  /** whether the statement selects the records that do not meet the condition */
  readonly isInverse: boolean;
  /** whether it selects each record once and in the order of the ids, without sorting */
  readonly isAscending: boolean;
  /** selects the records for which the index may be outdated; null: it is current */
  readonly outdated: RawBuilder<unknown> | null;
  /** whether its result may change although no record has changed, so it is not cached */
  readonly isVolatile: boolean;
  /** the conditions of which a record must meet one; null: there is a single condition, which `select` finds */
  readonly alternatives: readonly FilterPart[] | null;
}

/** Those of the records that meet all conditions, tested one by one. */
export function testEach(
  db: Transaction,
  collection: Collection,
  ids: IdList,
  parts: readonly FilterPart[],
): Promise<IdList> {
  const tests = allOf(parts.map(({ test }) => test));
  return selectIds(db, sql`select _id from ${recordsOf(collection, ids)} where ${tests}`);
}

/** The conditions of a filter, all of which must be met. */
export async function partsOf(
  db: Transaction,
  collection: Collection,
  { where, q, startsWith }: RecordFilter,
): Promise<FilterPart[]> {
  const parts = where.map((condition) => conditionPart(db, collection, condition));
  const needles = searchNeedles(q);
  if (needles.length > 0) parts.push(...(await searchParts(db, collection, needles)));
  if (startsWith) {
    const { test, range } = startSql(db, collection, startsWith);
    const { index } = sourceOf(db, collection, startsWith.column);
    const select = sql`select _id from ${tableByIndex(collection, range ? index : null)} where ${range ?? test}`;
    parts.push(filterPart([index, 'start', startsWith.folded], test, select));
  }
  return parts;
}

async function searchParts(
  db: Transaction,
  collection: Collection,
  needles: readonly string[],
): Promise<FilterPart[]> {
  const parts: FilterPart[] = [];
  const indexed = needles.filter(isIndexed);
  const table = sql.table(tableName(collection));
  const { changeId, isComplete } = await readSearchTextsState(db, collection);
  // The result of a text search depends on which fields are visible.
  const visible = hidesTexts(collection) ? fieldsOf(collection) : [];
  const isExact = areSearchTextsExact(collection, { isComplete });
  const about = ['search', changeId, visible];
  const isVolatile = !isComplete;
  if (indexed.length > 0) {
    const test = allOf(indexed.flatMap((needle) => searchTests(db, collection, needle, isExact)));
    const hits = fullTextHits(collection, indexed);
    const select = isExact
      ? hits
      : sql`select _id from ${table} where _id in (${hits}) and ${test}`;
    parts.push(
      filterPart([...about, ...indexed], test, select, {
        isAscending: isExact,
        outdated: outdatedRecords(collection),
        isVolatile,
      }),
    );
  }
  for (const needle of needles.filter((word) => !isIndexed(word))) {
    const test = allOf(searchTests(db, collection, needle, isExact));
    parts.push(
      filterPart([...about, needle], test, sql`select _id from ${table} where ${test}`, {
        isAscending: true,
        isVolatile,
      }),
    );
  }
  return parts;
}

/** The numbers of the fields of a view. */
function fieldsOf({ fields, keywordFields }: Collection): number[] {
  return [...fields, ...keywordFields].map(({ number }) => number);
}

/** A condition whose records one statement selects. */
export function filterPart(
  about: readonly unknown[],
  test: Sql,
  select: RawBuilder<unknown>,
  more: Partial<FilterPart> = {},
): FilterPart {
  const key = JSON.stringify(about);
  const usual = {
    isInverse: false,
    isAscending: false,
    isVolatile: false,
    outdated: null,
    alternatives: null,
  };
  return { key, test, select: () => Promise.resolve(select), ...usual, ...more };
}

function conditionPart(
  db: Transaction,
  collection: Collection,
  condition: Condition | AnyOf,
): FilterPart {
  if ('anyOf' in condition) {
    const alternatives = condition.anyOf.map((alternative) =>
      conditionPart(db, collection, alternative),
    );
    const keys = alternatives.map(({ key }) => key);
    const test = conditionSql(db, collection, condition);
    const select = sql`select _id from ${sql.table(tableName(collection))} where ${test}`;
    const isVolatile = alternatives.some((part) => part.isVolatile);
    return filterPart(['anyOf', ...keys], test, select, { alternatives, isVolatile });
  }
  const { column, ...asked } = condition;
  const test = conditionSql(db, collection, condition);
  if (column.kind === 'keyword') {
    const tested = keywordTest(condition);
    const { having, without } = keywordHaving(db, collection, condition);
    const keywords = sql.table(keywordTable(collection));
    const select = sql`select _id from ${keywords} where ${having}`;
    return filterPart([column.kind, nameKey(column.name), asked], test, select, {
      isInverse: without,
      ...(tested && { select: () => selectByKeyword(db, collection, condition, tested) }),
    });
  }
  if (column.kind === 'check') {
    const select = sql`select _id from ${sql.table(tableName(collection))} where ${test}`;
    return filterPart([column.kind, asked], test, select, { isVolatile: true });
  }
  const source = sourceOf(db, collection, column);
  const about = [source.index, asked];
  const select = sql`select _id from ${tableByIndex(collection, source.index)} where ${test}`;
  if (source.kind === 'text' && condition.op === 'like') {
    const { folded } = condition;
    return filterPart(about, test, select, {
      select: (smallSetLimit) => selectContaining(db, collection, source, folded, smallSetLimit),
    });
  }
  // An index has the ids of equal values in ascending order.
  return filterPart(about, test, select, {
    isAscending: condition.op === 'eq' || source.index === null,
  });
}

/**
 * The records whose field contains a text: if the full-text index over all fields finds few records, each of them is
 * tested; otherwise by the field's own index, whose keys hold the folded texts, and a test of the few texts that are
 * too long for their keys.
 */
async function selectContaining(
  db: Transaction,
  collection: Collection,
  source: TextSource,
  folded: string,
  smallSetLimit: number,
): Promise<RawBuilder<unknown>> {
  const table = sql.table(tableName(collection));
  const test = db.adapter.contains(sql.ref(source.fold), folded);
  const needle = searchNeedle(folded);
  const isInFullText = source.fieldNumber !== null && isIndexed(needle);
  if (isInFullText && (await readSearchTextsState(db, collection)).isComplete) {
    const hits = searchHits(db, collection, [needle]);
    if ((await countRows(db, sql`(${hits} limit ${smallSetLimit + 1})`)) <= smallSetLimit)
      return sql`select _id from ${table} where _id in (${hits}) and ${test}`;
  }
  if (!isInKey(folded)) return sql`select _id from ${table} where ${test}`;
  const { key } = source;
  const byKey = sql`select _id from ${tableByIndex(collection, source.index)} where instr(${key}, ${folded}) > 0`;
  // User names are never that long.
  if (source.fieldNumber === null) return byKey;
  const isLong = longKeySql({ number: source.fieldNumber });
  return sql`${byKey} union all
    select _id from ${table} where ${isLong} and ${test} and instr(${key}, ${folded}) = 0`;
}

/**
 * The index of keywords has their values, not their folded forms. Distinct values are far fewer than keywords, so
 * conditions on the folded form are tested on the distinct values.
 */
async function selectByKeyword(
  db: Transaction,
  collection: Collection,
  condition: Condition,
  test: (keyword: string) => boolean,
): Promise<RawBuilder<unknown>> {
  const table = sql.table(keywordTable(collection));
  const field = keywordNumber(collection, condition);
  // Reading one text takes half the time of reading as many rows.
  const { rows } = await sql<{ all: string }>`
    select json_group_array(value) as "all" from (
      select distinct value from ${table} where field = ${field})`.execute(db.k);
  const all = z.array(z.string()).parse(JSON.parse(rows[0]?.all ?? '[]'));
  const values = JSON.stringify(all.filter(test));
  return sql`select _id from ${table}
    where field = ${field} and value in (select value from json_each(${values}))`;
}

/** The test of a condition on the folded form of keywords; null if it is on the keyword itself. */
function keywordTest(condition: Condition): ((keyword: string) => boolean) | null {
  if (condition.op === 'like') return (keyword) => fold(keyword).includes(condition.folded);
  if (!('value' in condition) || condition.op === 'eq' || condition.op === 'ne') return null;
  const { op, value } = condition;
  return (keyword) => {
    const order = compareValues('text', keyword, value);
    switch (op) {
      case 'gt':
        return order > 0;
      case 'gte':
        return order >= 0;
      case 'lt':
        return order < 0;
      case 'lte':
        return order <= 0;
      default:
        return op satisfies never;
    }
  };
}
