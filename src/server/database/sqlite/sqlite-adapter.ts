import { randomUUID } from 'node:crypto';
import { sql, SqliteDialect } from 'kysely';
import type { Adapter } from '../database.ts';
import { SqliteLists } from './sqlite-lists.ts';
import { kyselyParts, type TransactionSettings } from '../transaction.ts';
import { CATALOG } from './sqlite-catalog.ts';
import { INTEGRITY } from './sqlite-integrity.ts';
import { RECORD_TABLES } from './sqlite-record-tables.ts';
import { ROW_WRITES } from './sqlite-row-writes.ts';
import { RULE_SQL } from './sqlite-rules.ts';
import { markSearchTextsChanged } from './search-index.ts';
import { openSearchIndexer } from './search-indexer.ts';
import { SQL_SYNTAX } from './sqlite-syntax.ts';

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
  tryLockNumber: () => Promise.resolve(true),
  lockDefinitionShared: nothing,
  lockDefinition: nothing,
  lockTable: nothing,
  async overwriteDeleted(database, isOn) {
    // SQLite applies the pragma when it compiles the statement, and statements are cached: each call needs a unique
    // text.
    const value = `${isOn ? 'on' : 'off'} /* ${randomUUID()} */`;
    await database.write((db) => sql.raw(`pragma secure_delete = ${value}`).execute(db.k));
  },
  isStandby: () => Promise.resolve(false),
  analyze: nothing,
  limitLockWaits: nothing,
  isLockTimeout: () => false,
  duplicateKeys: null,
  markSearchTextsChanged,
  openSearchIndexer,
};

/** The settings of all transactions on SQLite. */
export const SQLITE_SETTINGS: TransactionSettings = {
  adapter: SQLITE,
  kysely: kyselyParts(
    new SqliteDialect({ database: () => Promise.reject(new Error('There is no connection.')) }),
  ),
  createLists: (db) => new SqliteLists(db, null),
};
