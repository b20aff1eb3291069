import { sql } from 'kysely';
import { fold } from '#shared/fold.ts';
import type { ListColumn } from '#shared/lists.ts';
import { compareValues, type Scalar } from '#shared/values.ts';
import type { Collection } from './collection.ts';
import type { Transaction } from '../database.ts';
import { foldColumn, fromStored, tableName, valueColumn, type StoredField } from './columns.ts';
import { allOf } from './comparisons.ts';
import { filterOf, testsOf } from './conditions.ts';
import { KEY_LENGTH, longKeySql } from './sort-key.ts';
import { sourceOf, type TextSource } from './source.ts';
import { textOf } from './distinct-values.ts';

/** A value that stands in a field, and in how many records. */
export interface ValueInUse {
  readonly value: Scalar;
  readonly count: number;
}

/**
 * The values that stand in a field, most used first, then in their order; null and the empty text do not count.
 * @param part what the value must contain, without regard to case and accents; texts alone are narrowed by it
 * @param limit of texts; the values of other types are all given
 */
export async function valuesInUse(
  db: Transaction,
  collection: Collection,
  field: StoredField,
  column: ListColumn,
  part: string,
  limit: number,
): Promise<ValueInUse[]> {
  const source = sourceOf(db, collection, column);
  if (source.kind === 'text' && db.dialect === 'sqlite') {
    const short = await countKeys(db, collection, source, fold(part), limit);
    const long = await countLong(db, collection, field, fold(part), limit);
    return [...short, ...long].sort(mostUsed).slice(0, limit);
  }
  const text = source.kind === 'text';
  const filter = await filterOf(db, collection, {
    where: [
      { column, op: 'null', isNull: false },
      ...(text && part !== '' ? [{ column, op: 'like' as const, folded: fold(part) }] : []),
    ],
    q: '',
  });
  const value = sql.ref(valueColumn(field));
  const { rows } = await sql<{ value: unknown; count: number }>`
    select ${value} as value, count(*) as count from ${sql.table(tableName(collection))}
    where ${allOf(testsOf(filter))} group by ${value} order by count desc, ${source.kind === 'text' ? sql`min(${source.key})` : value}
    ${text ? sql`limit ${limit}` : sql``}`.execute(db.k);
  return rows.map((row) => ({ value: fromStored(field, row.value), count: row.count }));
}

/**
 * Texts that their keys hold whole are counted in the index, which has them side by side. The least of equal keys
 * is taken from the index; the key as such SQLite would compute from the record, at six times the cost.
 */
async function countKeys(
  db: Transaction,
  collection: Collection,
  source: TextSource,
  folded: string,
  limit: number,
): Promise<ValueInUse[]> {
  const { key } = source;
  const holding = folded === '' ? sql`` : sql`and instr(${key}, ${folded}) > 0`;
  const { rows } = await sql<{ key: string; count: number }>`
    select min(${key}) as key, count(*) as count
    from ${sql.table(tableName(collection))} indexed by ${sql.ref(source.index)}
    where ${key} > char(1) ${holding}
    group by ${key} having length(min(${key})) < ${KEY_LENGTH} order by count desc, key limit ${limit}`.execute(
    db.k,
  );
  return rows.map((row) => ({ value: textOf(row.key), count: row.count }));
}

/** Longer texts have an index that finds them, to be counted one by one. */
async function countLong(
  db: Transaction,
  collection: Collection,
  field: StoredField,
  folded: string,
  limit: number,
): Promise<ValueInUse[]> {
  const [value, folding] = [sql.ref(valueColumn(field)), sql.ref(foldColumn(field))];
  const { rows } = await sql<{ value: string; count: number }>`
    select ${value} as value, count(*) as count from ${sql.table(tableName(collection))}
    where ${longKeySql(field)} and instr(${folding}, ${folded}) > 0
    group by ${value} order by count desc, min(${folding}), ${value} limit ${limit}`.execute(db.k);
  return rows;
}

function mostUsed(a: ValueInUse, b: ValueInUse): number {
  return b.count - a.count || compareValues('text', a.value, b.value);
}
