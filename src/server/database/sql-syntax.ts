import type { RawBuilder } from 'kysely';
import type { ColumnKind, Scalar } from '#shared/values/value-type.ts';
import type { ColumnValue, StoredField } from './records/columns.ts';
import type { ColumnTypes } from './system-column-types.ts';

/** The parts of statements that differ between SQLite and PostgreSQL. */
export interface SqlSyntax {
  readonly columnTypes: ColumnTypes;
  /** the types of the columns of record tables */
  readonly recordTypes: Readonly<Record<ColumnKind, RawBuilder<unknown>>>;
  /** declares the primary key of a record table, which never reuses a number */
  readonly recordId: RawBuilder<unknown>;
  /** what follows the declaration of a temporary table that ends with its transaction */
  readonly untilCommit: RawBuilder<unknown>;
  /** Whether a column sorts nulls last by default. */
  sortsNullsLast(direction: 'ascending' | 'descending'): boolean;
  /** Tests whether an indexed expression has a value, in a form that lets the index be read from its first value on. */
  hasValue(expression: RawBuilder<unknown>, type: 'text' | 'number'): RawBuilder<boolean>;
  /** ends the columns of an index in whose order records are read: the id, or nothing where it follows by itself */
  readonly idInIndexes: RawBuilder<unknown>;
  /** ends a `select` that locks the rows it finds until the end of the transaction; empty if there is a single writer */
  readonly lockRows: RawBuilder<unknown>;
  /** follows a table's name and forces an index that the planner would not choose, or is empty */
  useIndex(name: string): RawBuilder<unknown>;
  /** follows a column of whole numbers: whether it is one of `numbers` */
  isAmong(numbers: readonly number[]): RawBuilder<unknown>;
  /** Whether a text contains `part`, character by character. */
  contains(column: RawBuilder<unknown>, part: string): RawBuilder<boolean>;
  /** Whether a word of a folded text starts with `start`, whose first character is a letter or digit. */
  startsWord(column: RawBuilder<unknown>, start: string): RawBuilder<boolean>;
  /** A text column with ASCII letters in lower case, compared byte by byte. */
  lowerAscii(column: RawBuilder<unknown>): RawBuilder<string>;
  /** The column cast to text, so that the length of its values can be taken. */
  asText(column: RawBuilder<unknown>): RawBuilder<unknown>;
  /** A value as a column stores it. */
  toStored(value: Scalar): ColumnValue;
  /** The sort key (`records/sort-key.ts`) of a text field, as it is indexed. */
  sortKey(field: StoredField): RawBuilder<string | null>;
  /** The sort key of texts in two columns, computed by the database. */
  sortKeyOf(folded: RawBuilder<unknown>, text: RawBuilder<unknown>): RawBuilder<string | null>;
}
