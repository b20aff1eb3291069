import { SqliteDialect } from 'kysely';
import type { Adapter } from '../database.ts';
import { SqliteLists } from './sqlite-lists.ts';
import { kyselyParts, type TransactionSettings } from '../transaction.ts';
import { CATALOG } from './catalog.ts';
import { INTEGRITY } from './integrity.ts';
import { RECORD_TABLES } from './record-tables.ts';
import { ROW_WRITES } from './row-writes.ts';
import { searchTextsChanged } from './search-index.ts';
import { openSearchIndexer } from './search-indexer.ts';
import { SQL_SYNTAX } from './sql-syntax.ts';

const nothing = (): Promise<void> => Promise.resolve();

export const SQLITE: Adapter = {
  ...SQL_SYNTAX,
  ...RECORD_TABLES,
  ...ROW_WRITES,
  ...CATALOG,
  ...INTEGRITY,
  dialect: 'sqlite',
  isShared: false,
  lockNumber: nothing,
  isStandby: () => Promise.resolve(false),
  analyze: nothing,
  limitLockWaits: nothing,
  searchTextsChanged,
  openSearchIndexer,
};

/** What all transactions on SQLite have in common. */
export const SQLITE_SETTINGS: TransactionSettings = {
  adapter: SQLITE,
  kysely: kyselyParts(
    new SqliteDialect({ database: () => Promise.reject(new Error('There is no connection.')) }),
  ),
  createLists: (db) => new SqliteLists(db, null),
};
