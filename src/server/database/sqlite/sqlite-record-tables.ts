import { sql } from 'kysely';
import type { RecordTables } from '../database.ts';
import { keywordTable, searchTable, tableName } from '../records/columns.ts';
import { createIndex, fieldIndexes } from '../records/record-tables.ts';
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
  async completeIndexes(database, collection) {
    const missing = await database.read(async (db) => {
      const { rows } = await sql<{ name: string }>`select name from sqlite_schema
        where type = 'index' and tbl_name = ${tableName(collection)}`.execute(db.k);
      const existing = new Set(rows.map(({ name }) => name));
      return collection.fields
        .flatMap((field) => fieldIndexes(db, collection, field))
        .filter(({ name }) => !existing.has(name));
    });
    // SQLite reads all rows for each index, and nobody else writes meanwhile: others write between two of them.
    for (const shape of missing) {
      await database.write((db) => createIndex(db, collection, shape));
    }
  },
  // Creating indexes that exist takes no time.
  lacksIndexes: () => Promise.resolve(true),
  storedCount: () => Promise.resolve(null),
  mergeCounts: nothing,
};
