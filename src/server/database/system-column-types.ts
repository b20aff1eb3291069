import type { ColumnBuilderCallback, Expression } from 'kysely';

type ColumnType = 'text' | 'integer' | 'bigint' | Expression<unknown>;

/** The column types of the system tables on a database. */
export interface ColumnTypes {
  /** compared and sorted by code points on both databases */
  readonly text: ColumnType;
  readonly integer: ColumnType;
  /** whole numbers up to 2^53, such as times in milliseconds */
  readonly bigint: ColumnType;
  /** a primary key that counts upwards and never reuses a number */
  readonly counted: ColumnBuilderCallback;
  /** appended to the column list: rejects values of another type, as PostgreSQL always does */
  readonly strict: Expression<unknown>;
  /** like `strict`, for tables of short rows that are always found by their composite key */
  readonly strictByKey: Expression<unknown>;
}
