import { sql } from 'kysely';
import { compareValues } from '#shared/values/value-rules.ts';
import type { Transaction } from '../database.ts';
import type { Collection } from '../records/collection.ts';
import { foldColumn, tableName, valueColumn, type StoredField } from '../records/columns.ts';
import type { ValueInUse } from '../records/list-reader.ts';
import { KEY_LENGTH, longKeySql, textOfKey } from '../records/sort-key.ts';
import type { TextSource } from '../records/list-column-source.ts';
import { tableByIndex } from './table-by-index.ts';

/** `ListReader.valuesInUse` for a text field. */
export async function textsInUse(
  db: Transaction,
  collection: Collection,
  { field, source }: { readonly field: StoredField; readonly source: TextSource },
  folded: string,
  limit: number,
): Promise<ValueInUse[]> {
  const short = await countKeys(db, collection, source, folded, limit);
  const long = await countLong(db, collection, field, folded, limit);
  return [...short, ...long].sort(mostUsed).slice(0, limit);
}

/**
 * Texts that fit into their keys are counted in the index, where equal keys are adjacent. SQLite takes the minimum of
 * equal keys from the index; the key itself would be computed from the record, at six times the cost.
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
    from ${tableByIndex(collection, source.index)}
    where ${key} > char(1) ${holding}
    group by ${key} having length(min(${key})) < ${KEY_LENGTH} order by count desc, key limit ${limit}`.execute(
    db.k,
  );
  return rows.map((row) => ({ value: textOfKey(row.key), count: row.count }));
}

/** Longer texts, which have a separate index, are counted one by one. */
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
