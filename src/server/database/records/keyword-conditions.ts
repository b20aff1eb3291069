import { sql, type RawBuilder } from 'kysely';
import { fold } from '#shared/values/fold.ts';
import type { Condition } from '#shared/rules/lists.ts';
import { findByName, keywordNameIn } from '#shared/rules/names.ts';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { keywordTable, tableName } from './columns.ts';
import { COMPARISON_SQL, type Sql } from './comparisons.ts';

/** Whether a record has the keywords that a condition requires. */
export function keywordSql(db: Transaction, collection: Collection, condition: Condition): Sql {
  const { having, without } = keywordHaving(db, collection, condition);
  const keywords = sql.table(keywordTable(collection));
  const own = sql`${sql.ref('keyword._id')} = ${sql.ref(`${tableName(collection)}._id`)}`;
  const exists = sql<boolean>`exists (select 1 from ${keywords} as keyword where ${own} and ${having})`;
  return without ? sql`not ${exists}` : exists;
}

/** The keywords of which a record must have one, or none (`without`). */
interface KeywordTest {
  readonly having: Sql;
  readonly without: boolean;
}

/** The keyword field that lists call `keyword.NAME`. */
export function keywordFieldOf(
  { keywordFields }: Collection,
  name: string,
): Collection['keywordFields'][number] | undefined {
  const keyword = keywordNameIn(name);
  if (keyword === null) return undefined;
  return findByName<Collection['keywordFields'][number]>(keywordFields, keyword);
}

/** The number of the keyword field that a condition refers to. */
export function keywordNumber(collection: Collection, { column }: Condition): number {
  return keywordFieldOf(collection, column.name)?.number ?? -1;
}

/** A condition on keywords as a condition on the rows of the keyword table. */
export function keywordHaving(
  db: Transaction,
  collection: Collection,
  condition: Condition,
): KeywordTest {
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
      return having(sql`and ${db.adapter.contains(sql.ref('value_fold'), condition.folded)}`);
    default: {
      const text = String(condition.value);
      return having(
        sql`and (value_fold, value) ${COMPARISON_SQL[condition.op]} (${fold(text)}, ${text})`,
      );
    }
  }
}
