import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { countRecordsInWorker } from '#server/modules/records/records.reads.ts';
import type { Database } from '#server/database/database.ts';
import { QueryCancellation } from '#server/database/query-cancellation.ts';
import { FairSemaphore } from '#server/database/fair-semaphore.ts';
import { openDatabase, type DatabaseConfig } from '#server/database/open-database.ts';
import type { Table } from '#server/database/records/collection.ts';
import { buildRecords, buildTable } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';

const [ANNA, BERT] = [1, 2];
const TOO_LONG = {
  code: 'unavailable',
  message: expect.stringMatching(/^Reading took longer than .* s and was cancelled\./),
};
const LEFT = { code: 'unavailable', message: 'The client has closed the connection.' };

async function expectAll(queries: readonly Promise<unknown>[], reason: object): Promise<void> {
  for (const outcome of await Promise.allSettled(queries)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason });
  }
}

describe('queries of SQLite in threads', { tags: ['slow'] }, () => {
  const databases = testDatabases('sqlite');
  let database: Database;
  let table: Table;
  const count = (owner: number, signal?: AbortSignal) =>
    database.read((db) => countRecordsInWorker(db, table, { where: [], q: 'bern' }), {
      owner: () => owner,
      ...(signal && { signal }),
    });
  const countInBackground = () =>
    database.read((db) => countRecordsInWorker(db, table, { where: [], q: 'bern' }), {
      owner: () => ANNA,
      isBackground: true,
    });
  const open = async (query?: number) => {
    const { dataDir } = await databases.prepare();
    database = await openDatabase({ dataDir, limits: { workersFrom: 0, query } });
    table = await buildTable(database, [{ name: 'name' }]);
    await buildRecords(database, table, [['Bern'], ['Graz'], ['Bern']]);
    return () => database.close();
  };

  it('are cancelled when their time is over', async () => {
    const close = await open(1);
    expect(await countInBackground()).toBe(2);
    // Together they take many times as long as one may.
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => count(ANNA)));
    const cancelled = outcomes.filter(({ status }) => status === 'rejected');
    expect(cancelled.length).toBeGreaterThan(0);
    for (const outcome of cancelled) expect(outcome).toMatchObject({ reason: TOO_LONG });
    await close();
  });

  it('take as long as they need in the background', { tags: ['long'] }, async () => {
    const close = await open(1);
    expect(await countInBackground()).toBe(2);
    await close();
  });

  it('are cancelled when their client leaves, and the thread goes on with others', async () => {
    const close = await open();
    const client = new AbortController();
    const cancelled = count(ANNA, client.signal);
    const waiting = Array.from({ length: 20 }, () => count(ANNA, client.signal));
    client.abort();
    await expectAll([cancelled, ...waiting], LEFT);
    await expect(count(ANNA, client.signal)).rejects.toMatchObject(LEFT);
    expect(database.load().connections.waiting).toBe(0);
    expect(await count(ANNA)).toBe(2);
    await close();
  });
});

describe('slots', () => {
  it('are shared fairly between users', async () => {
    const slots = new FairSemaphore(3, 2);
    const { signal } = new AbortController();
    const order: string[] = [];
    const take = async (owner: number, name: string) => {
      const leave = await slots.acquire(owner, signal);
      order.push(name);
      return leave;
    };
    const [first, second] = [await take(ANNA, 'anna 1'), await take(ANNA, 'anna 2')];
    const waiting = ['anna 3', 'anna 4', 'anna 5'].map((name) => take(ANNA, name));
    // One slot is left, which Anna does not get.
    const bert = await take(BERT, 'bert 1');
    const next = take(BERT, 'bert 2');
    first();
    // Anna came first, but holds as many as Bert does.
    const third = await waiting[0];
    bert();
    const fourth = await next;
    expect(order).toEqual(['anna 1', 'anna 2', 'bert 1', 'anna 3', 'bert 2']);
    for (const leave of [second, third, fourth]) leave?.();
    for (const leave of await Promise.all(waiting.slice(1))) leave();
    expect(slots.waiting.length).toBe(0);
  });
});

describe('queries of PostgreSQL', { tags: ['postgres'] }, () => {
  const databases = testDatabases('postgres');
  let config: DatabaseConfig;
  const opened: Database[] = [];
  beforeEach(async () => {
    config = await databases.prepare();
    return () => Promise.all(opened.splice(0).map((database) => database.close()));
  });
  const open = async (limits: DatabaseConfig['limits']) => {
    const database = await openDatabase({ ...config, limits });
    opened.push(database);
    return database;
  };
  const sleep = (database: Database, owner: number, signal?: AbortSignal) =>
    database.read((db) => sql`select pg_sleep(600)`.execute(db.k), {
      owner: () => owner,
      ...(signal && { signal }),
    });
  const sleeping = async (database: Database) => {
    const { rows } = await database.read((db) =>
      sql<{ count: number }>`select count(*) as count from pg_stat_activity
        where datname = current_database() and state = 'active' and query like '%pg_sleep(600)%'
          and pid <> pg_backend_pid()`.execute(db.k),
    );
    return rows[0]?.count;
  };

  it('are cancelled in the server when their time is over', async () => {
    const database = await open({ query: 200 });
    await expect(sleep(database, ANNA)).rejects.toMatchObject(TOO_LONG);
    await vi.waitFor(async () => expect(await sleeping(database)).toBe(0));
  });

  it('take as long as they need in the background', { tags: ['long'] }, async () => {
    const database = await open({ query: 200 });
    const rows = database.read(
      async (db) => (await sql`select pg_sleep(0.5)`.execute(db.k)).rows.length,
      { isBackground: true },
    );
    expect(await rows).toBe(1);
  });

  it('are cancelled in the server when their client leaves', async () => {
    const database = await open({});
    const client = new AbortController();
    const query = sleep(database, ANNA, client.signal);
    await vi.waitFor(async () => expect(await sleeping(database)).toBe(1));
    client.abort();
    await expect(query).rejects.toMatchObject(LEFT);
    await vi.waitFor(async () => expect(await sleeping(database)).toBe(0));
  });

  it('of one user leave connections to others and to writes', async () => {
    const database = await open({ maxConnections: 4 });
    const client = new AbortController();
    const queries = Array.from({ length: 10 }, () => sleep(database, ANNA, client.signal));
    await database.read((db) => sql`select 1`.execute(db.k), { owner: () => BERT });
    await database.write((db) => sql`select 1`.execute(db.k));
    client.abort();
    await expectAll(queries, LEFT);
    expect(database.load().connections.waiting).toBe(0);
  });
});

describe('the time of a query', () => {
  const LIMIT = 10_000;
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('does not count the time in which a thread starts', async () => {
    const start = Promise.withResolvers<void>();
    const cancellation = new QueryCancellation({}, { query: LIMIT });
    void cancellation.countFrom(start.promise);
    vi.advanceTimersByTime(10 * LIMIT);
    expect(cancellation.signal.aborted).toBe(false);
    start.resolve();
    await start.promise;
    vi.advanceTimersByTime(LIMIT - 1);
    expect(cancellation.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(cancellation.signal.aborted).toBe(true);
  });

  it('is cancelled by its client while a thread starts, and counts nothing once it has ended', async () => {
    const client = new AbortController();
    const start = Promise.withResolvers<void>();
    const [left, ended] = [client.signal, undefined].map(
      (signal) => new QueryCancellation(signal ? { signal } : {}, { query: LIMIT }),
    );
    for (const cancellation of [left, ended]) void cancellation?.countFrom(start.promise);
    client.abort();
    expect(left?.signal.aborted).toBe(true);
    ended?.dispose();
    start.resolve();
    await start.promise;
    vi.advanceTimersByTime(LIMIT);
    expect(ended?.signal.aborted).toBe(false);
  });
});
