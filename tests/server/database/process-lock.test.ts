/** @module-tag postgres */
/** @module-tag slow */
import { sql } from 'kysely';
import { Client } from 'pg';
import { expect, it, vi } from 'vitest';
import { tableName } from '#server/database/records/columns.ts';
import { fieldIndexes } from '#server/database/records/record-tables.ts';
import { buildRecords, buildTable } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';

const databases = testDatabases('postgres');

/** Longer than the interval at which the holder of the lock uses its connection. */
const LONGEST = 30_000;

it(
  'builds no further index after the connection of its lock was lost',
  { timeout: 2 * LONGEST, tags: ['long'] },
  async () => {
    const config = await databases.prepare();
    const database = await databases.open(config);
    const table = await buildTable(database, [{ name: 'name' }, { name: 'city' }]);
    await buildRecords(database, table, [['Ada', 'Bern']]);
    const names = table.fields.flatMap((field) =>
      database.read(async (db) => fieldIndexes(db, table, field).map(({ name }) => name)),
    );
    const indexes = (await Promise.all(names)).flat();
    await database.write(async (db) => {
      for (const name of indexes) await sql`drop index ${sql.ref(name)}`.execute(db.k);
    });
    const connect = async () => {
      const client = new Client(config.databaseUrl);
      await client.connect();
      // The database is dropped at the end of the test.
      client.on('error', () => undefined);
      return client;
    };
    const [writer, other, observer] = [await connect(), await connect(), await connect()];
    const isThere = (query: string) =>
      vi.waitFor(
        async () => {
          const { rows } = await observer.query<Record<string, string>>(query);
          expect(rows).not.toEqual([]);
          return rows[0] ?? {};
        },
        { timeout: LONGEST, interval: 20 },
      );

    // The build of an index waits for the end of a transaction that has written.
    await writer.query('begin');
    await writer.query(`delete from ${tableName(table)}`);
    const begun: string[] = [];
    const completed = database
      .completeIndexes(table, (name) => void begun.push(name))
      .catch((error: unknown) => error);
    await isThere(`select from pg_stat_activity where datname = current_database()
      and query like 'create index concurrently%' and wait_event_type = 'Lock'`);
    const { pid, key } = await isThere(`select pid, (classid::bigint << 32) | objid::bigint as key
      from pg_locks join pg_database as own on own.oid = database
      where locktype = 'advisory' and datname = current_database() and granted`);
    const taken = other.query('select pg_advisory_lock($1)', [key]);
    await isThere(`select from pg_locks join pg_database as own on own.oid = database
      where locktype = 'advisory' and datname = current_database() and not granted`);
    await observer.query('select pg_terminate_backend($1)', [pid]);
    await taken;
    // Only the build of the index has its connection yet.
    await vi.waitFor(
      () => {
        const { open, idle } = database.load().connections;
        expect(open - idle).toBe(1);
      },
      { timeout: LONGEST },
    );
    await writer.query('rollback');
    expect(await completed).toBeInstanceOf(Error);
    expect(begun).toHaveLength(1);
  },
);
