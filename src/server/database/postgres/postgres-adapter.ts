import { PostgresDialect, sql } from 'kysely';
import type { Adapter } from '../database.ts';
import { kyselyParts, type TransactionSettings } from '../transaction.ts';
import { PostgresLists } from './postgres-lists.ts';
import { ROW_WRITES } from './row-writes.ts';
import { notify } from './notifications.ts';

export const POSTGRES: Adapter = {
  ...ROW_WRITES,
  isShared: true,
  toStored: (value) => value,
  // In the order of the ids, if several: two writes then cannot wait for each other.
  lockRows: sql`for no key update`,
  useIndex: () => sql``,
  // An array, as the planner takes a list that it has to unpack for long.
  isAmong: (numbers) => sql`= any(${`{${numbers.join()}}`}::bigint[])`,
  contains: (text, part) => sql`${text} like ${`%${part.replaceAll(/[\\%_]/g, '\\$&')}%`}`,
  hasValue: (expression) => sql`${expression} is not null`,
  sortsNullsLast: (direction) => direction === 'ascending',
  async lockNumber(db, number) {
    await sql`select pg_advisory_xact_lock(${number}::bigint)`.execute(db.k);
  },
  async isStandby(db) {
    const { rows } = await sql<{ standby: boolean }>`
      select pg_is_in_recovery() as standby`.execute(db.k);
    return rows[0]?.standby === true;
  },
  async analyze(db, table) {
    await sql`analyze ${sql.table(table)}`.execute(db.k);
  },
  async limitLockWaits(db, milliseconds) {
    await sql`set local lock_timeout to ${sql.lit(milliseconds)}`.execute(db.k);
  },
};

/** What all transactions on PostgreSQL have in common. */
export const POSTGRES_SETTINGS: TransactionSettings = {
  adapter: POSTGRES,
  dialect: 'postgres',
  trigram: false,
  kysely: kyselyParts(
    new PostgresDialect({ pool: () => Promise.reject(new Error('There is no connection.')) }),
  ),
  notify,
  createLists: (db) => new PostgresLists(db),
};
