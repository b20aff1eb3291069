/** @module-tag slow */
import { once } from 'node:events';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Database } from '#server/database/database.ts';
import { tableName } from '#server/database/records/columns.ts';
import { dropFieldIndexes, fieldIndexes } from '#server/database/records/record-tables.ts';
import { SqliteConnection } from '#server/database/sqlite/sqlite-connection.ts';
import { openDatabase } from '#server/database/open-database.ts';
import { SQLITE_FILE } from '#server/database/sqlite/sqlite-database.ts';
import { buildRecords, buildTable } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { holdWrite } from '#tests/support/held-writes.ts';

const databases = testDatabases('sqlite');
const postgres = testDatabases('postgres');

/** A database whose large indexes are created in threads, with a table whose field has lost its indexes. */
async function openWithoutIndexes(records = 1_001) {
  const { dataDir } = await databases.prepare();
  const database = await openDatabase({ dataDir, limits: { workersFrom: 0 } });
  const table = await buildTable(database, [{ name: 'name' }]);
  await buildRecords(
    database,
    table,
    Array.from({ length: records }, (_, i) => [`Name ${i}`]),
  );
  const shapes = table.fields.flatMap((field) => fieldIndexes(database, table, field));
  await database.write(async (db) => {
    for (const { name } of shapes) await sql`drop index ${sql.ref(name)}`.execute(db.k);
  });
  const path = join(dataDir, SQLITE_FILE);
  return { database, path, table, names: shapes.map(({ name }) => name) };
}

/** The threads that are started until the end of the test. */
function startedThreads(): Worker[] {
  const threads: Worker[] = [];
  const add = (thread: Worker) => void threads.push(thread);
  process.on('worker', add);
  onTestFinished(() => void process.off('worker', add));
  return threads;
}

const indexNames = (database: Database, table: string) =>
  database.read(async (db) => {
    const { rows } = await sql<{ name: string }>`select name from sqlite_schema
      where type = 'index' and tbl_name = ${table}`.execute(db.k);
    return rows.map(({ name }) => name);
  });

const put = (database: Database, key: string) =>
  database.write((db) => db.k.insertInto('installation').values({ key, value: 'mine' }).execute());

it('creates the missing indexes of a large database in threads, between writes', async () => {
  const { database, table, names } = await openWithoutIndexes();
  const created: string[] = [];
  const writes: Promise<unknown>[] = [];
  const threads = startedThreads();
  await database.completeIndexes(table, (name) => {
    created.push(name);
    writes.push(put(database, name));
  });
  await Promise.all(writes);
  expect(threads).toHaveLength(1);
  expect(created).toEqual(names);
  expect(await indexNames(database, tableName(table))).toEqual(expect.arrayContaining(names));
  await database.completeIndexes(table, () => expect.unreachable());
  await database.close();
});

it('creates those of a small table at once, without a thread', async () => {
  const { database, table, names } = await openWithoutIndexes(2);
  const threads = startedThreads();
  await database.completeIndexes(table, () => undefined);
  expect(threads).toEqual([]);
  expect(await indexNames(database, tableName(table))).toEqual(expect.arrayContaining(names));
  await database.close();
});

it('lets a write that waited for an index run before the next one', async () => {
  const { database, table, names } = await openWithoutIndexes();
  const done: string[] = [];
  process.once('worker', (thread) => {
    // When the thread is ready, the first index is the next write.
    thread.once('message', () => void put(database, 'a').then(() => done.push('write')));
  });
  await database.completeIndexes(table, (name) => void done.push(name));
  const [first, ...others] = names;
  expect(done).toEqual([first, 'write', ...others]);
  await database.close();
});

it('waits until nobody has written for a while, but not for ever', async () => {
  const { database } = await openWithoutIndexes();
  const { signal } = new AbortController();
  const goOn = await holdWrite(database, (db) => sql`select 1`.execute(db.k));
  const done: string[] = [];
  const quiet = database.untilQuiet(1, 3_600_000, signal).then(() => done.push('quiet'));
  // Others do not wait that long, or not at all any more.
  await database.untilQuiet(3_600_000, 1, signal);
  await database.untilQuiet(3_600_000, 3_600_000, AbortSignal.abort());
  done.push('no longer held');
  await goOn();
  await quiet;
  expect(done).toEqual(['no longer held', 'quiet']);
  await database.close();
});

it('reports why an index cannot be created, and later writes succeed', async () => {
  const { database, table } = await openWithoutIndexes();
  await database.write((db) => sql`drop table ${sql.table(tableName(table))}`.execute(db.k));
  await expect(database.completeIndexes(table, () => undefined)).rejects.toThrow('no such table');
  await put(database, 'a');
  await database.close();
});

it('reports that a thread ended early, and creates the indexes the next time', async () => {
  const { database, table, names } = await openWithoutIndexes();
  process.once('worker', (thread) => void thread.terminate());
  await expect(database.completeIndexes(table, () => undefined)).rejects.toThrow('ended early');
  await put(database, 'a');
  await database.completeIndexes(table, () => undefined);
  expect(await indexNames(database, tableName(table))).toEqual(expect.arrayContaining(names));
  await database.close();
});

it('does not count the waiting for an index as a reason to refuse requests', async () => {
  const { database, path, table } = await openWithoutIndexes();
  const other = await SqliteConnection.open(path, 'writer');
  const started = once(process, 'worker');
  const completed = database.completeIndexes(table, () => undefined);
  const [thread]: Worker[] = await started;
  if (!thread) throw new Error('No thread was started.');
  await once(thread, 'message');
  // Until its end the thread waits for it.
  other.run('BEGIN IMMEDIATE');
  const write = put(database, 'a');
  await vi.waitFor(() =>
    expect(database.load()).toMatchObject({ waitingWrites: 1, longestWait: 0 }),
  );
  expect(await indexNames(database, tableName(table))).toBeInstanceOf(Array);
  other.run('ROLLBACK');
  await Promise.all([completed, write]);
  other.close();
  await database.close();
});

it(
  'takes as long as it needs on PostgreSQL, whatever the statement timeout of the service is',
  {
    tags: ['postgres'],
  },
  async () => {
    const config = await postgres.prepare();
    const statement = 1_000;
    const database = await openDatabase({ ...config, limits: { statement } });
    const table = await buildTable(database, [{ name: 'name' }]);
    await database.write((db) => dropFieldIndexes(db, table, table.fields));
    // To create an index waits for the end of transactions that have written.
    const goOn = await holdWrite(database, (db) =>
      sql`delete from ${sql.table(tableName(table))}`.execute(db.k),
    );
    const completed = database.completeIndexes(table, () => undefined);
    await vi.waitFor(
      () =>
        database.read(async (db) => {
          const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and query like 'create index concurrently%'
            and clock_timestamp() - query_start > make_interval(secs => ${statement / 500})`.execute(
            db.k,
          );
          expect(rows).not.toEqual([]);
        }),
      { timeout: 30 * statement },
    );
    await goOn();
    await completed;
    await database.read(async (db) =>
      expect(await db.adapter.fieldsWithoutIndexes(db, [table])).toEqual([]),
    );
    await database.close();
  },
);
