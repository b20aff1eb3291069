import { sql } from 'kysely';
import type { ColumnKind } from '#shared/values/value-type.ts';
import type { ColumnTypes } from '../system-column-types.ts';
import type { SqlSyntax } from '../sql-syntax.ts';
import { foldColumn, valueColumn } from '../records/columns.ts';
import { KEY_LENGTH } from '../records/sort-key.ts';

const COLUMN_TYPES: ColumnTypes = {
  text: 'text',
  integer: 'integer',
  bigint: sql`integer`,
  counted: (column) => column.primaryKey().autoIncrement(),
  strict: sql`strict`,
  strictByKey: sql`strict, without rowid`,
};

const LENGTH = sql.lit(KEY_LENGTH);

/** The types of the columns of records. */
export const RECORD_TYPES: Readonly<Record<ColumnKind, string>> = {
  text: 'text',
  integer: 'integer',
  decimal: 'real',
  boolean: 'integer',
  date: 'text',
};

export const SQL_SYNTAX: SqlSyntax = {
  columnTypes: COLUMN_TYPES,
  recordTypes: {
    text: sql.raw(RECORD_TYPES.text),
    integer: sql.raw(RECORD_TYPES.integer),
    decimal: sql.raw(RECORD_TYPES.decimal),
    boolean: sql.raw(RECORD_TYPES.boolean),
    date: sql.raw(RECORD_TYPES.date),
  },
  recordId: sql`_id integer primary key autoincrement`,
  untilCommit: sql``,
  sortsNullsLast: (direction) => direction === 'descending',
  hasValue: (expression, type) =>
    type === 'text' ? sql`${expression} >= ''` : sql`${expression} >= -9e999`,
  // The last column of each index is the row's id. Named, it would be there twice.
  idInIndexes: sql``,
  lockRows: sql``,
  useIndex: (name) => sql`indexed by ${sql.ref(name)}`,
  isAmong: (numbers) => sql`in (select value from json_each(${JSON.stringify(numbers)}))`,
  contains: (column, part) => sql<boolean>`instr(${column}, ${part}) > 0`,
  startsWord: (column, start) => sql<boolean>`starts_word(${column}, ${start})`,
  lowerAscii: (column) => sql`lower(${column})`,
  asText: (column) => column,
  toStored: (value) => (typeof value === 'boolean' ? Number(value) : value),
  sortKey: (field) => SQL_SYNTAX.sortKeyOf(sql.ref(foldColumn(field)), sql.ref(valueColumn(field))),
  sortKeyOf: (folded, text) =>
    sql`(case when length(${folded}) > ${LENGTH} then substr(${folded}, 1, ${LENGTH}) || char(1114111) else substr(${folded}, 1, ${LENGTH}) || char(1) || substr(${text}, 1, ${LENGTH}) end)`,
};
