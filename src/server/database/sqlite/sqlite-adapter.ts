import { sql, SqliteDialect } from 'kysely';
import type { Adapter } from '../database.ts';
import { ROW_WRITES } from './row-writes.ts';
import { SqliteLists } from './sqlite-lists.ts';
import { kyselyParts, type TransactionSettings } from '../transaction.ts';

const nothing = (): Promise<void> => Promise.resolve();

export const SQLITE: Adapter = {
  ...ROW_WRITES,
  isShared: false,
  toStored: (value) => (typeof value === 'boolean' ? Number(value) : value),
  lockRows: sql``,
  useIndex: (name) => sql`indexed by ${sql.ref(name)}`,
  isAmong: (numbers) => sql`in (select value from json_each(${JSON.stringify(numbers)}))`,
  contains: (text, part) => sql`instr(${text}, ${part}) > 0`,
  // `is not null` is tested on each entry. No text is below the empty one, no number below minus infinity.
  hasValue: (expression, type) =>
    type === 'text' ? sql`${expression} >= ''` : sql`${expression} >= -9e999`,
  sortsNullsLast: (direction) => direction === 'descending',
  lockNumber: nothing,
  isStandby: () => Promise.resolve(false),
  analyze: nothing,
  limitLockWaits: nothing,
};

/** What all transactions on SQLite have in common. */
export const SQLITE_SETTINGS: TransactionSettings = {
  adapter: SQLITE,
  dialect: 'sqlite',
  trigram: false,
  kysely: kyselyParts(
    new SqliteDialect({ database: () => Promise.reject(new Error('There is no connection.')) }),
  ),
  createLists: (db) => new SqliteLists(db, null),
};
