import { sql, type RawBuilder } from 'kysely';
import { fold } from '#shared/values/fold.ts';
import type { ListColumn, SortKey } from '#shared/rules/lists.ts';
import { valueType } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import type { ColumnValue } from './columns.ts';
import { allOf, type Sql } from './comparisons.ts';
import { mayHaveEqualSortKeys } from './long-texts.ts';
import { sourceOf } from './list-column-source.ts';
import { isLongKey, KEY_LENGTH, sortKey } from './sort-key.ts';

/** One expression of an `order by`, and how a field value is sorted by it. */
export interface OrderTerm {
  readonly expression: RawBuilder<unknown>;
  readonly descending: boolean;
  readonly nullable: boolean;
  /** whether a record has a value */
  readonly filled: Sql;
  /** what this term compares for a field's value */
  sortValueOf(value: Scalar): ColumnValue;
}

/** One sort key with its terms; texts that their key truncates have two more. */
export interface Order {
  readonly key: SortKey;
  readonly terms: readonly OrderTerm[];
  /** the index in this order; null: the table itself has it */
  readonly index: string | null;
}

/** The order of a list in terms that the database's indexes support, without the id. */
export async function orderOf(
  db: Transaction,
  collection: Collection,
  sort: readonly SortKey[],
): Promise<Order[]> {
  const orders: Order[] = [];
  for (const key of sort) {
    const source = sourceOf(db, collection, key.column);
    const term = (
      expression: RawBuilder<unknown>,
      sortValueOf: (value: Scalar) => ColumnValue,
      nullable = true,
    ): OrderTerm => ({
      expression,
      descending: key.descending,
      nullable,
      filled: db.adapter.hasValue(expression, isIndexedAsText(key.column) ? 'text' : 'number'),
      sortValueOf,
    });
    if (source.kind === 'plain') {
      orders.push({
        key,
        index: source.index,
        terms: [
          term(sql.ref(source.column), (value) => (value === null ? null : source.stored(value))),
        ],
      });
      continue;
    }
    const terms = [term(source.key, (value) => (value === null ? null : sortKey(String(value))))];
    if (
      source.fieldNumber !== null &&
      (await mayHaveEqualSortKeys(db, collection, source.fieldNumber))
    ) {
      const cut = (column: string) =>
        sql`case when length(${source.key}) >= ${sql.lit(KEY_LENGTH)} then ${sql.ref(column)} else '' end`;
      const rest = (of: (text: string) => string) => (value: Scalar) =>
        isLongKey(sortKey(String(value))) ? of(String(value)) : '';
      terms.push(term(cut(source.fold), rest(fold), false));
      terms.push(
        term(
          cut(source.value),
          rest((text) => text),
          false,
        ),
      );
    }
    orders.push({ key, terms, index: source.index });
  }
  return orders;
}

/** Whether an index stores the values of a column as text. */
function isIndexedAsText({ type }: ListColumn): boolean {
  const { column, comparison } = valueType(type);
  return comparison.by !== 'number' && (column === 'text' || column === 'date');
}

/** `order by` over the terms and the id; nulls last in both directions. */
export function orderSql(db: Transaction, terms: readonly OrderTerm[]): RawBuilder<unknown> {
  const items = terms.map(({ expression, descending, nullable }) => {
    // If nulls sort last by default, an index can be used for the order.
    const nulls = nullable && !db.adapter.sortsNullsLast(descending ? 'descending' : 'ascending');
    return sql`${expression}${descending ? sql` desc` : sql``}${nulls ? sql` nulls last` : sql``}`;
  });
  return sql`order by ${sql.join([...items, sql`_id`])}`;
}

/** The rows after a position: the record's values in the terms, and its id. */
export function afterSql(
  terms: readonly OrderTerm[],
  sortValues: readonly ColumnValue[],
  id: number,
): Sql {
  const branches: Sql[] = [];
  const equal: Sql[] = [];
  for (const [i, { expression, descending, nullable }] of terms.entries()) {
    const sortValue = sortValues[i] ?? null;
    if (sortValue === null) equal.push(sql`${expression} is null`);
    else {
      const beyond = descending
        ? sql`${expression} < ${sortValue}`
        : sql`${expression} > ${sortValue}`;
      const later = nullable
        ? sql<boolean>`(${beyond} or ${expression} is null)`
        : sql<boolean>`${beyond}`;
      branches.push(allOf([...equal, later]));
      equal.push(sql`${expression} = ${sortValue}`);
    }
  }
  branches.push(allOf([...equal, sql`_id > ${id}`]));
  return sql`(${sql.join(
    branches.map((branch) => sql`(${branch})`),
    sql` or `,
  )})`;
}
