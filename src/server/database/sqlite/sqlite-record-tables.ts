import { sql } from 'kysely';
import type { RecordTables } from '../database.ts';
import { keywordTable, searchTable, tableName } from '../records/columns.ts';
import { createIndex } from '../records/record-tables.ts';
import { createSearchTable, fillSearch } from './search-index.ts';

const nothing = (): Promise<void> => Promise.resolve();

export const RECORD_TABLES: RecordTables = {
  advanceIdCounter: nothing,
  computedColumns: () => [],
  computedColumnNames: () => [],
  async addColumns(db, table, columns) {
    for (const column of columns) {
      await sql`alter table ${sql.table(table)} add column ${column}`.execute(db.k);
    }
  },
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
  // Creating indexes that exist takes no time.
  lacksIndexes: () => Promise.resolve(true),
  storedCount: () => Promise.resolve(null),
  mergeCounts: nothing,
};
