import { PostgresDialect, sql } from 'kysely';
import type { Adapter, SearchStore, Transaction } from '../database.ts';
import { tableName, type CollectionRef } from '../records/columns.ts';
import { kyselyParts, type TransactionSettings } from '../transaction.ts';
import { DUPLICATE_KEYS } from './duplicate-key-tables.ts';
import { CATALOG } from './postgres-catalog.ts';
import { isLockTimeout } from './postgres-errors.ts';
import { INTEGRITY } from './postgres-integrity.ts';
import { PostgresLists } from './postgres-lists.ts';
import { notify } from './notifications.ts';
import { RECORD_TABLES } from './postgres-record-tables.ts';
import { ROW_WRITES } from './postgres-row-writes.ts';
import { RULE_SQL } from './postgres-rules.ts';
import { createSearchStore } from './search-indexer.ts';
import { SQL_SYNTAX } from './postgres-syntax.ts';

const POSTGRES: Omit<Adapter, 'trigram' | keyof SearchStore> = {
  ...SQL_SYNTAX,
  ...RULE_SQL,
  ...RECORD_TABLES,
  ...ROW_WRITES,
  ...CATALOG,
  ...INTEGRITY,
  dialect: 'postgres',
  isShared: true,
  async lockNumber(db, number) {
    await sql`select pg_advisory_xact_lock(${number}::bigint)`.execute(db.k);
  },
  async tryLockNumber(db, number) {
    // Not as a parameter: the portal of a statement with parameters keeps its snapshot until the next statement, and
    // `create index concurrently` would wait for the transaction that has this lock.
    const { rows } = await sql<{ locked: boolean }>`
      select pg_try_advisory_xact_lock(${sql.lit(number)}::bigint) as locked`.execute(db.k);
    return rows[0]?.locked === true;
  },
  // A write of records takes this shared lock anyway.
  lockDefinitionShared: (db, collection) =>
    db.send(
      { owner: holdStatement, name: tableName(collection), build: holdStatement(collection) },
      [],
    ),
  async lockDefinition(db, collection) {
    await sql`lock table ${sql.table(tableName(collection))} in share row exclusive mode`.execute(
      db.k,
    );
  },
  async lockTable(db, table) {
    await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(db.k);
  },
  overwriteDeleted: () => Promise.resolve(),
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
  isLockTimeout,
  duplicateKeys: DUPLICATE_KEYS,
};

function holdStatement(collection: CollectionRef) {
  return () => sql`lock table ${sql.table(tableName(collection))} in row exclusive mode`;
}

const KYSELY = kyselyParts(
  new PostgresDialect({ pool: () => Promise.reject(new Error('There is no connection.')) }),
);

/** The settings of all transactions on a PostgreSQL database. @param trigram whether pg_trgm can be used */
export function postgresSettings(trigram: boolean): TransactionSettings {
  const createLists = (db: Transaction) => new PostgresLists(db);
  const adapter = { ...POSTGRES, ...createSearchStore(), trigram };
  return { adapter, kysely: KYSELY, notify, createLists };
}
