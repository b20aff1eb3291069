import { createHash } from 'node:crypto';
import { sql, type RawBuilder } from 'kysely';
import type { Transaction } from '../database.ts';
import type { ColumnValue } from '../records/columns.ts';
import type { TableShape } from './schema-introspection.ts';

/** A page ends after this many rows, or bytes of text. */
const MAX_ROWS = 2_000;
const MAX_BYTES = 4 * 1024 * 1024;

/** A row in the form that both databases share: booleans are 0 and 1. In the order of the shape's columns. */
export type CanonicalRow = readonly (string | number | null)[];

/**
 * One page of a table's rows after a key, in key order: 2,000 rows, or fewer if they are long, but at least one.
 * @param after the key values of the last row of the previous page; null: start at the first row
 */
export async function readTablePage(
  db: Transaction,
  shape: TableShape,
  after: readonly ColumnValue[] | null,
): Promise<CanonicalRow[]> {
  const columns = sql.join(shape.columns.map((column) => sql.ref(column)));
  const key = sql.join(shape.key.map((column) => sql.ref(column)));
  const behind = after === null ? sql`` : sql`where (${key}) > (${sql.join(after)})`;
  const { rows } = await sql<Record<string, unknown>>`
    select ${columns} from (
      select *, sum(bytes_of_row) over (order by ${key} rows unbounded preceding) as bytes_so_far from (
        select ${columns}, ${bytesOf(db, shape)} as bytes_of_row from ${sql.table(shape.name)}
        ${behind} order by ${key} limit ${sql.lit(MAX_ROWS)}
      ) as measured
    ) as counted
    where bytes_so_far - bytes_of_row < ${sql.lit(MAX_BYTES)} order by ${key}`.execute(db.k);
  return rows.map((row) => shape.columns.map((column) => toCanonical(shape, column, row[column])));
}

/** The key of a row. */
export function keyOf(shape: TableShape, row: CanonicalRow): ColumnValue[] {
  return shape.key.map((column) => row[shape.columns.indexOf(column)] ?? null);
}

/** The key of the last row of a table; null if the table is empty. */
export async function lastKey(db: Transaction, shape: TableShape): Promise<ColumnValue[] | null> {
  const order = sql.join(shape.key.map((column) => sql`${sql.ref(column)} desc`));
  const key = sql.join(shape.key.map((column) => sql.ref(column)));
  const { rows } = await sql<Record<string, unknown>>`
    select ${key} from ${sql.table(shape.name)} order by ${order} limit 1`.execute(db.k);
  const [row] = rows;
  return row ? shape.key.map((column) => toCanonical(shape, column, row[column])) : null;
}

/** The number of rows of a table, and the SHA-256 of all rows in key order. */
export interface TableSum {
  readonly rows: number;
  readonly sha256: string;
}

/** Computes the sum incrementally while rows are copied. */
export function createTableSum(shape: TableShape): {
  add(rows: readonly CanonicalRow[]): void;
  end(): TableSum;
} {
  const hash = createHash('sha256').update(`${JSON.stringify(shape.columns)}\n`);
  let count = 0;
  return {
    add(rows) {
      count += rows.length;
      hash.update(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    },
    end: () => ({ rows: count, sha256: hash.digest('hex') }),
  };
}

function bytesOf({ adapter }: Transaction, { texts }: TableShape): RawBuilder<unknown> {
  if (texts.length === 0) return sql`0`;
  // The shape may come from the other database, where a date is text.
  const lengths = texts.map(
    (column) => sql`coalesce(octet_length(${adapter.asText(sql.ref(column))}), 0)`,
  );
  return sql`(${sql.join(lengths, sql` + `)})`;
}

function toCanonical(shape: TableShape, column: string, value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'string' || typeof value === 'number') return value;
  throw new Error(`${shape.name}.${column} holds a ${typeof value}, which cannot be copied.`);
}
