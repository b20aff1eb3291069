import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { copyFile, link, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeEach, describe, inject } from 'vitest';
import type { Database } from '#server/database/database.ts';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';
import { SQLITE_FILE } from '#server/database/sqlite/sqlite-database.ts';
import { codeOf } from '#server/lib/caught-errors.ts';
import { IS_LONG_RUN } from './effort.ts';
import { administer, databaseUrl } from './postgres-server.ts';

/** PostgreSQL without trigrams: its user may not create the extension pg_trgm. */
type TestDatabaseKind = 'sqlite' | 'postgres' | 'postgres without trigrams';

/** Where nobody listens: notifications of PostgreSQL do not arrive, as behind some poolers. */
export const WITHOUT_NOTIFICATIONS = { databaseDirectUrl: 'postgres://127.0.0.1:1/none' };

/** The databases of a suite. What a test or `beforeEach` asks for lasts for the test, else for the suite. */
export interface TestDatabases {
  readonly dialect: 'sqlite' | 'postgres';
  /** false on PostgreSQL without trigrams */
  readonly hasTrigrams: boolean;
  /** For `it`, in a suite of both databases: a test whose subject lies above them runs on PostgreSQL only in a long run. */
  readonly onOneDatabase: { readonly tags: string[] };
  /** A new database with its tables, nobody's yet: for what opens its database itself. */
  readonly prepare: () => Promise<DatabaseConfig>;
  /** Opens a database, a new one where none is given; closed at the end. */
  readonly open: (config?: DatabaseConfig) => Promise<Database>;
}

/**
 * Runs a suite on SQLite and on PostgreSQL.
 * @param suite is handed `open`, which opens a new database of the kind, and the rest of TestDatabases
 */
export function describeOnBothDatabases(
  name: string,
  suite: (open: TestDatabases['open'], databases: TestDatabases) => void,
): void {
  describeOn(['sqlite', 'postgres'], name, suite);
}

/**
 * Runs a suite whose subject lies above the database: on SQLite, and in a long run on PostgreSQL too.
 * @param suite as of describeOnBothDatabases
 */
export function describeOnOneDatabase(
  ...[name, suite]: Parameters<typeof describeOnBothDatabases>
): void {
  describeOn(IS_LONG_RUN ? ['sqlite', 'postgres'] : ['sqlite'], name, suite);
}

/** Runs a suite on SQLite and on PostgreSQL with and without trigrams. */
export function describeOnEveryDatabase(
  ...[name, suite]: Parameters<typeof describeOnBothDatabases>
): void {
  describeOn(['sqlite', 'postgres', 'postgres without trigrams'], name, suite);
}

function describeOn(
  kinds: readonly TestDatabaseKind[],
  name: string,
  suite: (open: TestDatabases['open'], databases: TestDatabases) => void,
): void {
  for (const kind of kinds) {
    const tags = kind === 'sqlite' ? [] : ['postgres'];
    describe(`${name} (${kind})`, { tags }, () => {
      const databases = testDatabases(kind);
      suite(databases.open, databases);
    });
  }
}

type CleanUp = () => Promise<unknown>;

/**
 * Databases of one kind, cleaned up after the tests of the `describe` (or file) in which this is called.
 * @param reach the address under which a database is used, given its own
 */
export function testDatabases(
  kind: TestDatabaseKind,
  reach: (databaseUrl: string) => string = (address) => address,
): TestDatabases {
  const dialect = kind === 'sqlite' ? 'sqlite' : 'postgres';
  const ofSuite: CleanUp[] = [];
  const ofTest: CleanUp[] = [];
  let cleanUps = ofSuite;
  beforeEach(() => {
    cleanUps = ofTest;
  });
  afterEach(async () => {
    cleanUps = ofSuite;
    await cleanUp(ofTest);
  });
  afterAll(() => cleanUp(ofSuite));

  const prepare = async (): Promise<DatabaseConfig> => {
    const dataDir = await mkdtemp(join(tmpdir(), 'indexdesk-test-'));
    cleanUps.push(() => rm(dataDir, { recursive: true, force: true, maxRetries: 5 }));
    if (dialect === 'sqlite') return { dataDir };
    const { url, template, copying } = inject('postgres');
    const name = `${template}_${randomBytes(6).toString('hex')}`;
    if (kind === 'postgres without trigrams') {
      return { dataDir, databaseUrl: await prepareLimited(url, name, cleanUps) };
    }
    await administer(url, (client) =>
      client.query(`create database ${name} template ${template} ${copying}`),
    );
    cleanUps.push(() =>
      administer(url, (client) => client.query(`drop database ${name} with (force)`)),
    );
    return { dataDir, databaseUrl: reach(databaseUrl(url, name)) };
  };
  const open = async (config?: DatabaseConfig): Promise<Database> => {
    const used = config ?? (await prepare());
    if (used.databaseUrl === undefined) await copyEmptySqlite(used.dataDir);
    const database = await openDatabase({
      ...used,
      limits: { workersFrom: WORKERS_FROM, ...used.limits },
    });
    cleanUps.push(() => database.close());
    return database;
  };
  const hasTrigrams = kind !== 'postgres without trigrams';
  const onOneDatabase = { tags: dialect === 'sqlite' ? [] : ['long'] };
  return { dialect, hasTrigrams, onOneDatabase, prepare, open };
}

/**
 * From which size of a SQLite database on threads read: only with much content, as the start of one takes longer than most
 * tests. A long run reads as the service does.
 */
const WORKERS_FROM = IS_LONG_RUN ? undefined : 8 * 2 ** 20;

/** The directory of an up-to-date empty SQLite database, made once for all tests of this process. */
let emptySqlite: Promise<string> | undefined;

async function makeEmptySqlite(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'indexdesk-empty-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const database = await openDatabase({ dataDir });
  await database.close();
  return dataDir;
}

/**
 * Puts an up-to-date empty database where none is: a tenth of the time that making its tables takes. It appears under its
 * name when it is complete, as a test may open several at once.
 */
async function copyEmptySqlite(dataDir: string): Promise<void> {
  const file = join(dataDir, SQLITE_FILE);
  if (existsSync(file)) return;
  const from = join(await (emptySqlite ??= makeEmptySqlite()), SQLITE_FILE);
  const copy = join(dataDir, `${randomBytes(6).toString('hex')}.copy`);
  await copyFile(from, copy);
  try {
    await link(copy, file);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    await rm(copy);
  }
}

/** An empty database and a user of it who may make tables there, and nothing else. */
async function prepareLimited(url: string, name: string, cleanUps: CleanUp[]): Promise<string> {
  const own = databaseUrl(url, name);
  const role = `${name}_user`;
  await administer(url, (client) => client.query(`create database ${name}`));
  await administer(url, (client) => client.query(`create role ${role} login password 'secret'`));
  await administer(own, (client) => client.query(`grant all on schema public to ${role}`));
  cleanUps.push(() =>
    administer(url, async (client) => {
      await client.query(`drop database ${name} with (force)`);
      await client.query(`drop role ${role}`);
    }),
  );
  const limited = new URL(own);
  limited.username = role;
  limited.password = 'secret';
  return limited.href;
}

/** How many writes of this process wait for another one: on SQLite for the writer, on PostgreSQL for its locks. */
export async function blockedWrites(database: Database): Promise<number> {
  if (!database.adapter.isShared) return database.load().waitingWrites;
  const { rows } = await database.read((db) =>
    sql<{ count: number }>`select count(*)::integer as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`.execute(db.k),
  );
  return rows[0]?.count ?? 0;
}

async function cleanUp(cleanUps: CleanUp[]): Promise<void> {
  for (let next = cleanUps.pop(); next; next = cleanUps.pop()) await next();
}
