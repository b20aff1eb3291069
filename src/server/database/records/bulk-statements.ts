import { sql } from 'kysely';
import type { CachedStatement, Transaction } from '../database.ts';
import type { ColumnValue } from './columns.ts';

/**
 * Inserts many rows into one table.
 * @param rows values in the order of `columns`
 */
export async function insertRows(
  db: Transaction,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly ColumnValue[])[],
): Promise<void> {
  if (rows.length > 0) await db.adapter.insertRows(db, table, columns, rows);
}

/**
 * Updates many rows of one table.
 * @param key the columns by which each row is found
 * @param rows the values of `key`, then those of `changed`
 */
export async function updateRows(
  db: Transaction,
  table: string,
  key: readonly string[],
  changed: readonly string[],
  rows: readonly (readonly ColumnValue[])[],
): Promise<void> {
  if (rows.length === 0 || changed.length === 0) return;
  await db.adapter.updateRows(db, table, key, changed, rows);
}

/** Deletes the rows with these ids. */
export async function deleteRows(
  db: Transaction,
  table: string,
  column: string,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return;
  const among = sql`${sql.ref(column)} ${db.adapter.isAmong(ids)}`;
  await sql`delete from ${sql.table(table)} where ${among}`.execute(db.k);
}

/** How many ids or names one statement that reads takes; few sizes, so that few statements are prepared. */
export const READ_CHUNK_SIZES = [500, 50, 10, 1];

/**
 * Splits a list into chunks of the given sizes, largest first. Few different sizes mean few different statements, each
 * prepared once.
 */
export function* chunks<Item>(
  items: readonly Item[],
  sizes: number | readonly number[],
): Generator<readonly Item[]> {
  let start = 0;
  for (const size of typeof sizes === 'number' ? [sizes] : sizes) {
    while (items.length - start >= size) {
      yield items.slice(start, start + size);
      start += size;
    }
  }
  if (start < items.length) yield items.slice(start);
}

/**
 * Splits a list of ids like `chunks`, but repeats the last id in a remainder of several, so that one statement reads them
 * instead of one for each.
 * @param sizes largest first, the last one 1
 */
export function* paddedChunks(
  ids: readonly number[],
  sizes: readonly number[],
): Generator<readonly number[]> {
  const padding = sizes.at(-2) ?? 1;
  const remainder = ids.length % padding;
  const isPadded = remainder > 1;
  const padded = isPadded
    ? [...ids, ...Array.from({ length: padding - remainder }, () => ids.at(-1) ?? 0)]
    : ids;
  yield* chunks(padded, sizes);
}

/**
 * The owner of the statements that `insertRows` and `updateRows` of the adapters run; their names contain everything
 * that the text depends on.
 */
const OWNER = {};

/** `insert` of this many rows. */
export function insertStatement(
  table: string,
  columns: readonly string[],
  rows: number,
): CachedStatement {
  const build = () => {
    const row = sql`(${sql.join(columns.map(() => sql`${null}`))})`;
    const values = sql.join(Array.from({ length: rows }, () => row));
    const names = sql.join(columns.map((column) => sql.ref(column)));
    return sql`insert into ${sql.table(table)} (${names}) values ${values}`;
  };
  return { owner: OWNER, name: `insert ${rows} ${table} ${columns.join()}`, build };
}

/** `update` of one row; the parameters are the values of `changed`, then those of `key`. */
export function updateStatement(
  table: string,
  key: readonly string[],
  changed: readonly string[],
): CachedStatement {
  const equal = (column: string) => sql`${sql.ref(column)} = ${null}`;
  const build = () =>
    sql`update ${sql.table(table)} set ${sql.join(changed.map(equal))}
      where ${sql.join(key.map(equal), sql` and `)}`;
  return { owner: OWNER, name: `update ${table} ${key.join()} ${changed.join()}`, build };
}
