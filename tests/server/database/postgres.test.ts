/** @module-tag postgres */
import { sql } from 'kysely';
import { randomBytes } from 'node:crypto';
import { afterEach, beforeAll, expect, inject, it } from 'vitest';
import type { Database, Transaction } from '#server/database/database.ts';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';
import type { PostgresLimits } from '#server/database/postgres/postgres-database.ts';
import { testDatabases, type TestDatabases } from '#tests/support/databases.ts';
import { startPostgresProxy, type PostgresProxy } from '#tests/support/postgres-proxy.ts';
import { administer, databaseUrl } from '#tests/support/postgres-server.ts';
import { rawStatement } from '#tests/support/database-statements.ts';

const databases = testDatabases('postgres');
const plain = testDatabases('postgres without trigrams');
const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (let next = undo.pop(); next; next = undo.pop()) await next();
});

/** Of the tests that change nothing of it but the keys `a` and `b`. */
let shared: DatabaseConfig;
beforeAll(async () => {
  shared = await databases.prepare();
});

async function openWith(...keys: string[]): Promise<Database> {
  const database = await databases.open(shared);
  await database.write((db) => putOnly(db, keys));
  return database;
}

async function putOnly(db: Transaction, keys: string[]): Promise<void> {
  await db.k.deleteFrom('installation').where('key', 'in', ['a', 'b']).execute();
  await putAll(db, keys);
}

async function putAll(db: Transaction, keys: string[]): Promise<void> {
  for (const key of keys)
    await db.k.insertInto('installation').values({ key, value: '0' }).execute();
}

async function get(db: Transaction, key: string): Promise<number> {
  const row = await db.k
    .selectFrom('installation')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirstOrThrow();
  return Number(row.value);
}

async function set(db: Transaction, key: string, value: number): Promise<void> {
  await db.k
    .updateTable('installation')
    .set({ value: String(value) })
    .where('key', '=', key)
    .execute();
}

/** Resolves when it has been asked for by `count`. */
function barrier(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let missing = count;
  return () => {
    missing -= 1;
    if (missing === 0) resolve();
    return promise;
  };
}

it('runs again what has met another write (40001)', async () => {
  const database = await openWith('a', 'b');
  const bothHaveRead = barrier(2);
  let runs = 0;
  // Each reads what the other writes: run at the same time, both would find 0.
  const copy = (from: string, to: string) => {
    let first = true;
    return database.write(async (db) => {
      runs += 1;
      const value = await get(db, from);
      if (first) await bothHaveRead();
      first = false;
      await set(db, to, value + 1);
    });
  };
  await Promise.all([copy('a', 'b'), copy('b', 'a')]);
  const values = await database.read(async (db) => [await get(db, 'a'), await get(db, 'b')]);
  expect(values.toSorted((a, b) => a - b)).toEqual([1, 2]);
  expect(runs).toBeGreaterThan(2);
});

it('runs again what was chosen to end a deadlock (40P01)', async () => {
  const database = await openWith('a', 'b');
  const bothHaveWritten = barrier(2);
  let runs = 0;
  const both = (one: string, other: string, value: number) => {
    let first = true;
    return database.write(async (db) => {
      runs += 1;
      await set(db, one, value);
      if (first) await bothHaveWritten();
      first = false;
      await set(db, other, value);
    });
  };
  await Promise.all([both('a', 'b', 1), both('b', 'a', 2)]);
  const [a, b] = await database.read(async (db) => [await get(db, 'a'), await get(db, 'b')]);
  expect(a).toBe(b);
  expect(runs).toBeGreaterThan(2);
});

it('gives up, saying so, where it meets others without end', async () => {
  const database = await databases.open(shared);
  let runs = 0;
  const write = database.write(async (db) => {
    runs += 1;
    await sql`do $$ begin raise exception 'met' using errcode = '40001'; end $$`.execute(db.k);
  });
  await expect(write).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The database is busy. Nothing was saved.',
  });
  expect(runs).toBe(12);
});

it('runs again what lost its connection before the commit', async () => {
  const database = await openWith('a');
  let runs = 0;
  await database.write(async (db) => {
    runs += 1;
    await set(db, 'a', runs);
    if (runs === 1) await sql`select pg_terminate_backend(pg_backend_pid())`.execute(db.k);
  });
  expect(runs).toBe(2);
  expect(await database.read((db) => get(db, 'a'))).toBe(2);
});

async function openThroughProxy(limits?: PostgresLimits): Promise<[Database, PostgresProxy]> {
  const proxy = await startPostgresProxy(shared.databaseUrl ?? '');
  undo.push(() => proxy.close());
  const database = await databases.open({ ...shared, databaseUrl: proxy.url, limits });
  await database.write((db) => putOnly(db, ['a']));
  return [database, proxy];
}

it('does not run again what lost its connection during the commit, and says so', async () => {
  const [database, proxy] = await openThroughProxy();
  let runs = 0;
  proxy.cutAfter('commit\0');
  const write = database.write(async (db) => {
    runs += 1;
    await set(db, 'a', (await get(db, 'a')) + 1);
  });
  await expect(write).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('not known whether'),
  });
  proxy.cutAfter(undefined);
  expect(runs).toBe(1);
  await expect.poll(() => database.read((db) => get(db, 'a'))).toBe(1);
});

it('does not run again what lost its connection with statements that were only sent before the commit', async () => {
  const [database, proxy] = await openThroughProxy();
  let runs = 0;
  proxy.cutAfter('commit\0');
  const write = database.write(async (db) => {
    runs += 1;
    await get(db, 'a');
    await db.send(rawStatement('update installation set value = $1 where key = $2'), ['1', 'a']);
  });
  await expect(write).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('not known whether'),
  });
  proxy.cutAfter(undefined);
  expect(runs).toBe(1);
  await expect.poll(() => database.read((db) => get(db, 'a'))).toBe(1);
});

it('runs again what met another write in a statement that was only sent', async () => {
  const database = await openWith('a');
  const text = 'insert into installation (key, value) values ($1, $2)';
  let runs = 0;
  await database.write(async (db) => {
    runs += 1;
    const found = await get(db, 'a');
    await db.send(rawStatement(text), [runs === 1 ? 'a' : 'b', String(found)]);
  });
  expect(runs).toBe(2);
  expect(await database.read((db) => get(db, 'b'))).toBe(0);
});

it('goes on without prepared statements where they are lost or of no use any more', async () => {
  const config = await databases.prepare();
  const open = () => databases.open({ ...config, limits: { maxConnections: 1 } });
  const lost = await open();
  const text = "select value from installation where key = 'a'";
  const read = (database: Database) => database.read((db) => db.run(rawStatement(text), []));
  await lost.write((db) => putAll(db, ['a']));
  for (let i = 0; i < 5; i += 1) expect(await read(lost)).toEqual([['0']]);
  await lost.read((db) => sql`deallocate all`.execute(db.k));
  expect(await read(lost)).toEqual([['0']]);

  const changed = await open();
  for (let i = 0; i < 5; i += 1) expect(await read(changed)).toEqual([['0']]);
  await changed.write((db) =>
    sql`alter table installation alter value type bigint
      using case when key = 'a' then value::bigint else 0 end`.execute(db.k),
  );
  expect(await read(changed)).toEqual([[0]]);
});

it('keeps nobody waiting for a process that stands still within a transaction', async () => {
  // Long enough that on a busy machine the second run is not idle for too long as well.
  const limits = { idle: 1_000, lock: 10_000 };
  const still = await databases.open({ ...shared, limits });
  const other = await databases.open({ ...shared, limits });
  await other.write((db) => putOnly(db, ['a']));
  const { promise: written, resolve: write } = Promise.withResolvers<void>();
  const { promise: waking, resolve: wake } = Promise.withResolvers<void>();
  let runs = 0;
  const stalled = still.write(async (db) => {
    runs += 1;
    await set(db, 'a', (await get(db, 'a')) + 10);
    if (runs > 1) return;
    write();
    await waking;
    // By now its connection is gone.
    await get(db, 'a');
  });
  await written;
  await other.write(async (db) => set(db, 'a', (await get(db, 'a')) + 1));
  wake();
  await stalled;
  expect(runs).toBe(2);
  expect(await other.read((db) => get(db, 'a'))).toBe(11);
});

it('waits for a lock only so long, and says so', async () => {
  const database = await databases.open({ ...shared, limits: { lock: 200 } });
  await database.write((db) => putOnly(db, ['a']));
  const { promise: ending, resolve: end } = Promise.withResolvers<void>();
  const { promise: locked, resolve: lock } = Promise.withResolvers<void>();
  const first = database.write(async (db) => {
    await set(db, 'a', 1);
    lock();
    await ending;
  });
  await locked;
  await expect(database.write((db) => set(db, 'a', 2))).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The database is busy. Nothing was saved.',
  });
  end();
  await first;
});

it('gives up connections whose other end has vanished, and goes on with new ones', async () => {
  const [database, proxy] = await openThroughProxy({ statement: 300 });
  proxy.swallow(true);
  const saving = database.write((db) => set(db, 'a', 1));
  setTimeout(() => proxy.swallow(false), 150);
  await saving;
  expect(await database.read((db) => get(db, 'a'))).toBe(1);
  const lost = database.write(async (db) => {
    await set(db, 'a', 2);
    proxy.swallow(true);
  });
  await expect(lost).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('not known whether'),
  });
  proxy.swallow(false);
  expect(await database.read((db) => get(db, 'a'))).toBe(1);
});

it('leaves a server that has become a standby for the one that is written to', async () => {
  const [database, proxy] = await openThroughProxy();
  const [{ name } = { name: '' }] = await database.read(
    async (db) =>
      (await sql<{ name: string }>`select current_database() as name`.execute(db.k)).rows,
  );
  const standby = (on: boolean) =>
    administer(inject('postgres').url, (client) =>
      client.query(`alter database ${name} set default_transaction_read_only to ${on}`),
    );
  await standby(true);
  proxy.cutAll();
  await Promise.all([1, 2, 3].map(() => database.read((db) => get(db, 'a'))));
  await expect(database.write((db) => set(db, 'a', 1))).rejects.toMatchObject({ code: '25006' });
  await Promise.all([1, 2, 3].map(() => database.read((db) => get(db, 'a'))));
  await standby(false);
  await database.write((db) => set(db, 'a', 1));
  expect(await database.read((db) => get(db, 'a'))).toBe(1);
});

it('takes a commit with a warning for one whose outcome is unknown', async () => {
  const database = await databases.open();
  await database.write((db) => putAll(db, ['a']));
  // What the server says where the wait for a standby is broken off cannot be had without one.
  await database.write(async (db) => {
    await sql`create function warn() returns trigger language plpgsql as $$
      begin raise warning 'not replicated'; return null; end $$`.execute(db.k);
    await sql`create constraint trigger warn after update on installation
      deferrable initially deferred for each row execute function warn()`.execute(db.k);
  });
  await expect(database.write((db) => set(db, 'a', 1))).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('not known whether'),
  });
});

it('survives connections that break while nobody uses them', async () => {
  const database = await databases.open(shared);
  const version = () =>
    database.read((db) => db.k.selectFrom('installation').select('key').execute());
  await Promise.all([version(), version(), version()]);
  await administer(inject('postgres').url, (client) =>
    client.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [
      new URL(shared.databaseUrl ?? '').pathname.slice(1),
    ]),
  );
  expect(await version()).not.toEqual([]);
});

it('says that the database cannot be reached', async () => {
  const [database, proxy] = await openThroughProxy();
  await proxy.close();
  undo.pop();
  await expect(database.write((db) => set(db, 'a', 1))).rejects.toMatchObject({
    code: 'unavailable',
    message: 'The database cannot be reached. Nothing was saved.',
  });
  const opening = openDatabase({ dataDir: '', databaseUrl: 'postgres://u:secret@127.0.0.1:1/x' });
  await expect(opening).rejects.toThrow('cannot be reached');
  await expect(opening).rejects.not.toThrow('secret');
});

it('keeps dates as their text and decimals as numbers', async () => {
  const database = await databases.open(shared);
  const { rows } = await database.read((db) =>
    sql`select date '2024-02-29' as day, 12.50::numeric(10, 2) as amount, count(*) as n from users`.execute(
      db.k,
    ),
  );
  expect(rows).toEqual([{ day: '2024-02-29', amount: 12.5, n: 0 }]);
});

it('commits durably where the database is set up otherwise', async () => {
  const config = await databases.prepare();
  const name = new URL(config.databaseUrl ?? '').pathname.slice(1);
  await administer(inject('postgres').url, (client) =>
    client.query(`alter database ${name} set synchronous_commit to off`),
  );
  const database = await databases.open(config);
  const { rows } = await database.write((db) => sql`show synchronous_commit`.execute(db.k));
  expect(rows).toEqual([{ synchronous_commit: 'on' }]);
});

async function createDatabase(options: string): Promise<string> {
  const { url, template } = inject('postgres');
  const name = `${template}_${randomBytes(6).toString('hex')}`;
  await administer(url, (client) => client.query(`create database ${name} ${options}`));
  undo.push(() => administer(url, (client) => client.query(`drop database ${name} with (force)`)));
  return databaseUrl(url, name);
}

it('refuses another encoding or date style', async () => {
  const latin = await createDatabase(
    "template template0 encoding 'LATIN1' locale_provider libc locale 'C'",
  );
  await expect(openDatabase({ dataDir: '', databaseUrl: latin })).rejects.toThrow('UTF8 is needed');
  const german = await createDatabase('');
  await administer(german, (client) =>
    client.query(`alter database ${new URL(german).pathname.slice(1)} set datestyle to german`),
  );
  await expect(openDatabase({ dataDir: '', databaseUrl: german })).rejects.toThrow('ISO is needed');
});

it('goes without trigrams where the extension may not be created', async () => {
  const trigram = async (open: TestDatabases['open']) =>
    (await open()).read((db) => Promise.resolve(db.adapter.trigram));
  expect(await trigram(plain.open)).toBe(false);
  expect(await trigram(databases.open)).toBe(true);
});
