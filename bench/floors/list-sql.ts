import {
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import {
  comparedColumn,
  keywordTable,
  searchTable,
  tableName,
  valueColumn,
} from '#server/database/records/columns.ts';
import { sortKey } from '#server/database/records/sort-key.ts';
import { SQLITE } from '#server/database/sqlite/sqlite-adapter.ts';
import type { Collection } from '#server/database/records/collection.ts';

const LIMIT = 50;

/** Makes texts of SQL, and runs nothing. */
const COMPILER = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
});

/** Pages of 50 of an archive or table in SQL, as they could best be asked of the service's own tables and indexes. */
export interface ListSql {
  /** the column of a field's values */
  column(field: string): string;
  /** the condition that a field has a value */
  equal(field: string, value: string): string;
  /** a text as a literal */
  text(value: string): string;
  page(where: string, sort: readonly string[]): string;
  /** a page from the middle, by the place of the row before it */
  after(sort: readonly string[]): string;
  /** a page by its offset: found in an index, then its rows looked up */
  offset(sort: readonly string[], offset: number): string;
  /** revisions with a keyword */
  keyword(value: string): string;
  /** by the full-text index; three characters and more */
  search(folded: string): string;
}

/** @param size rows of the archive or table */
export function listSql(collection: Collection, size: number): ListSql {
  const table = tableName(collection);
  const fieldOf = (name: string) => {
    const field = collection.fields.find((field) => field.name === name);
    if (!field) throw new Error(`There is no field ${name}.`);
    return field;
  };
  const text = (value: string) => `'${value.replaceAll("'", "''")}'`;
  const key = (name: string): string => {
    if (name === 'changedAt') return '_changed_at';
    const field = fieldOf(name);
    if (field.type === 'text') return SQLITE.sortKey(field).compile(COMPILER).sql;
    return comparedColumn(field);
  };
  const parts = (sort: readonly string[]) =>
    sort.map((name) =>
      name.startsWith('-')
        ? { key: key(name.slice(1)), down: true }
        : { key: key(name), down: false },
    );
  const order = (sort: readonly string[]) =>
    [...parts(sort).map(({ key, down }) => (down ? `${key} desc` : key)), '_id'].join(', ');
  return {
    column: (name) => valueColumn(fieldOf(name)),
    text,
    equal: (name, value) =>
      fieldOf(name).type === 'text'
        ? `${key(name)} = ${text(sortKey(value))}`
        : `${key(name)} = ${text(value)}`,
    page: (where, sort) =>
      sort.length === 0
        ? `select * from ${table} where ${where} order by _id limit ${LIMIT}`
        : `select * from ${table} where _id in
            (select _id from ${table} where ${where} order by ${order(sort)} limit ${LIMIT})`,
    after(sort) {
      const middle = Math.floor(size / 2);
      const [part] = parts(sort);
      if (!part) return `select * from ${table} where _id > ${middle} order by _id limit ${LIMIT}`;
      const { key, down } = part;
      return `select * from ${table} where ${key} ${down ? '<' : '>'} (select ${key} from ${table} where _id = ${middle})
        order by ${order(sort)} limit ${LIMIT}`;
    },
    offset: (sort, offset) =>
      `select * from ${table} where _id in
        (select _id from ${table} order by ${order(sort)} limit ${LIMIT} offset ${offset})`,
    keyword: (value) =>
      `select * from ${table} where _id in
        (select _id from ${keywordTable(collection)} where field = ${collection.keywordFields[0]?.number ?? 0}
          and value = ${text(value)} order by _id limit ${LIMIT}) order by _id`,
    search: (folded) =>
      `select * from ${table} where _id in
        (select rowid from ${searchTable(collection)} where text match ${text(`"${folded}"`)} order by rowid limit ${LIMIT})
        order by _id`,
  };
}
