import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { RecordTables } from '../database.ts';
import {
  columnsOf,
  keywordTable,
  searchTable,
  tableName,
  UNUSED_COLUMN_PREFIX,
} from '../records/columns.ts';
import { createIndex, declareColumn } from '../records/record-tables.ts';
import { fieldsWithoutIndexes } from './missing-indexes.ts';
import { RECORD_TYPES } from './sqlite-syntax.ts';
import { createSearchTable, fillSearch } from './search-index.ts';

const nothing = (): Promise<void> => Promise.resolve();

export const RECORD_TABLES: RecordTables = {
  advanceIdCounter: nothing,
  computedColumns: () => [],
  computedColumnNames: () => [],
  async addColumns(db, table, fields) {
    for (const [name, kind] of fields.flatMap(columnsOf)) {
      const { rows } = await sql<{ unused: string }>`select name as unused
        from pragma_table_info(${table})
        where name glob ${`${UNUSED_COLUMN_PREFIX}*`} and lower(type) = ${RECORD_TYPES[kind]} limit 1`.execute(
        db.k,
      );
      const change = rows[0]
        ? sql`rename column ${sql.ref(rows[0].unused)} to ${sql.ref(name)}`
        : sql`add column ${declareColumn(db, [name, kind])}`;
      await sql`alter table ${sql.table(table)} ${change}`.execute(db.k);
    }
  },
  async removeColumns(db, table, columns) {
    for (const column of columns) {
      const unused = `${UNUSED_COLUMN_PREFIX}${randomUUID()}`;
      await sql`alter table ${sql.table(table)} rename column ${sql.ref(column)} to ${sql.ref(unused)}`.execute(
        db.k,
      );
    }
  },
  keepsColumns: true,
  createSortKeys: nothing,
  createCompanions: createSearchTable,
  async dropRecordTables(db, collection) {
    for (const table of [searchTable, keywordTable, tableName]) {
      await sql`drop table if exists ${sql.table(table(collection))}`.execute(db.k);
    }
    await db.k
      .deleteFrom('search_due')
      .where('scope', '=', collection.kind)
      .where('thing_id', '=', collection.id)
      .execute();
  },
  async createTableIndexes(db, collection) {
    await fillSearch(db, collection);
    // The rows hold all values, so skipping many rows to reach a page would read them all.
    const name = `${tableName(collection)}_id`;
    await createIndex(db, collection, { name, on: sql`(_id)`, where: sql`` });
  },
  createUniqueness: nothing,
  dropUniqueness: nothing,
  fieldsWithoutIndexes,
  storedCount: () => Promise.resolve(null),
  mergeCounts: nothing,
};
