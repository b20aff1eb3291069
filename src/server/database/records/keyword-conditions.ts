import { sql, type RawBuilder } from 'kysely';
import * as z from 'zod';
import { fold } from '#shared/fold.ts';
import type { Condition } from '#shared/lists.ts';
import { findByName } from '#shared/names.ts';
import { compareValues } from '#shared/values.ts';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { keywordTable, tableName } from './columns.ts';
import { COMPARISONS, contains, type SelectedSet, type Sql } from './comparisons.ts';

/** Whether a record has the keywords that a condition asks for. */
export function keywordSql(db: Transaction, collection: Collection, condition: Condition): Sql {
  const { having, without } = keywordHaving(db, collection, condition);
  const keywords = sql.table(keywordTable(collection));
  if (db.dialect === 'sqlite') {
    // Asked of few records, which have few keywords each.
    const own = sql`${sql.ref('keyword._id')} = ${sql.ref(`${tableName(collection)}._id`)}`;
    const held = sql`exists (select 1 from ${keywords} as keyword where ${own} and ${having})`;
    return without ? sql`not ${held}` : sql`${held}`;
  }
  const held = sql`(select _id from ${keywords} where ${having})`;
  return without ? sql`_id not in ${held}` : sql`_id in ${held}`;
}

/** Which keywords a record must have one of, or none of (`without`). */
interface KeywordTest {
  readonly having: Sql;
  readonly without: boolean;
}

function keywordNumber(collection: Collection, { column }: Condition): number {
  const name = column.name.slice('keyword.'.length);
  return findByName(collection.keywordFields, name)?.number ?? -1;
}

function keywordHaving(db: Transaction, collection: Collection, condition: Condition): KeywordTest {
  const number = keywordNumber(collection, condition);
  const having = (test: RawBuilder<unknown>, without = false) => ({
    having: sql<boolean>`field = ${number} ${test}`,
    without,
  });
  switch (condition.op) {
    case 'null':
      return having(sql``, condition.isNull);
    case 'in':
      return having(sql`and value in (${sql.join(condition.values)})`);
    case 'eq':
      return having(sql`and value = ${condition.value}`);
    case 'ne':
      return having(sql`and value = ${condition.value}`, true);
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

/** The records that a condition on keywords finds, on SQLite. */
export async function keywordSet(
  db: Transaction,
  collection: Collection,
  condition: Condition,
): Promise<SelectedSet> {
  const { having, without } =
    (await amongValues(db, collection, condition)) ?? keywordHaving(db, collection, condition);
  const select = sql`select _id from ${sql.table(keywordTable(collection))} where ${having}`;
  // A keyword may stand twice in a record.
  return { select, without, ascending: false, doubtful: null };
}

/**
 * SQLite has keywords in the order of their values, not of their folded form. There are far fewer different ones
 * than there are keywords, so what must be folded is asked of these.
 */
async function amongValues(
  db: Transaction,
  collection: Collection,
  condition: Condition,
): Promise<KeywordTest | null> {
  const meets = keywordTest(condition);
  if (!meets) return null;
  const table = sql.table(keywordTable(collection));
  const field = keywordNumber(collection, condition);
  // One text of all is read in half the time of as many rows.
  const { rows } = await sql<{ all: string }>`
    select json_group_array(value) as "all" from (
      select distinct value from ${table} where field = ${field})`.execute(db.k);
  const all = z.array(z.string()).parse(JSON.parse(rows[0]?.all ?? '[]'));
  const values = JSON.stringify(all.filter(meets));
  const having = sql<boolean>`field = ${field} and value in (select value from json_each(${values}))`;
  return { having, without: false };
}

/** What is asked of a keyword's folded form; null where the keyword itself tells. */
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
