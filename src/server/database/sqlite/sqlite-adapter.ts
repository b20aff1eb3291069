import { randomUUID } from 'node:crypto';
import { sql, SqliteDialect } from 'kysely';
import type { Adapter } from '../database.ts';
import { SqliteLists } from './sqlite-lists.ts';
import { kyselyParts, type TransactionSettings } from '../transaction.ts';
import { CATALOG } from './catalog.ts';
import { INTEGRITY } from './integrity.ts';
import { RECORD_TABLES } from './record-tables.ts';
import { ROW_WRITES } from './row-writes.ts';
import { RULE_SQL } from './rule-calls.ts';
import { searchTextsChanged } from './search-index.ts';
import { openSearchIndexer } from './search-indexer.ts';
import { SQL_SYNTAX } from './sql-syntax.ts';

const nothing = (): Promise<void> => Promise.resolve();

export const SQLITE: Adapter = {
  ...SQL_SYNTAX,
  ...RULE_SQL,
  ...RECORD_TABLES,
  ...ROW_WRITES,
  ...CATALOG,
  ...INTEGRITY,
  dialect: 'sqlite',
  isShared: false,
  lockNumber: nothing,
  holdDefinition: nothing,
  lockDefinition: nothing,
  lockTable: nothing,
  async overwriteDeleted(database, isOn) {
    // SQLite sets it when it compiles the statement, and statements are cached: each needs a text of its own.
    const value = `${isOn ? 'on' : 'off'} /* ${randomUUID()} */`;
    await database.write((db) => sql.raw(`pragma secure_delete = ${value}`).execute(db.k));
  },
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
