import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { buildUser, openApp } from '#tests/support/app.ts';
import { buildTable, datasetsPath } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { openEventStream, listenOn } from '#tests/support/event-client.ts';
import { isMissing } from '#tests/support/skipping.ts';
import { obstacleToPgBouncer, startPgBouncer, type PgBouncer } from '#tests/support/pgbouncer.ts';
import { answersOfAllCalls } from './all-calls.ts';
import { writesAtOnce } from './writes-at-once.ts';

describe.skipIf(isMissing(obstacleToPgBouncer()))('behind PgBouncer in transaction mode', () => {
  let pgbouncer: PgBouncer | undefined;
  beforeAll(async () => {
    pgbouncer = await startPgBouncer(inject('postgres').url);
  });
  afterAll(() => pgbouncer?.stop());
  const reach = (databaseUrl: string) => {
    if (!pgbouncer) throw new Error('PgBouncer is not running.');
    return pgbouncer.reach(databaseUrl);
  };
  const databases = testDatabases('postgres', reach);
  const { open, prepare } = databases;
  const sqlite = testDatabases('sqlite');

  it('all calls answer the same, to the byte', async () => {
    const [straight, through] = [
      await answersOfAllCalls(sqlite.open),
      await answersOfAllCalls(open),
    ];
    expect(through).toEqual(straight);
  });

  it('events of other processes are heard of, with and without an address beside it', async () => {
    const direct = inject('postgres').url;
    const config = await prepare();
    const through = config.databaseUrl ?? '';
    const beside = new URL(direct);
    beside.pathname = new URL(through).pathname;
    const writing = await openApp(() => open(config));
    const table = await buildTable(writing.database, [{ name: 'text' }]);
    await buildUser(writing.database, { username: 'anna', role: 'administrator' });
    const anna = await writing.signedIn('anna');
    for (const databaseDirectUrl of [undefined, beside.href]) {
      const hearing = await openApp(() => open({ ...config, databaseDirectUrl }));
      const client = await openEventStream(await listenOn(hearing), anna);
      await anna.post(datasetsPath(table), { dataset: { text: 'x' } });
      await client.until(1);
      expect(client.events).toHaveLength(1);
      client.close();
    }
  });

  it('transactions share its connections', async () => {
    const database = await open();
    const processes = await Promise.all(
      Array.from({ length: 40 }, () =>
        database.read(async (db) => {
          const { rows } = await sql<{ pid: number }>`
            select pg_backend_pid() as pid, pg_sleep(0.01)`.execute(db.k);
          return rows[0]?.pid;
        }),
      ),
    );
    // A process of the service asks for ten.
    expect(new Set(processes).size).toBeLessThanOrEqual(3);
  });

  it('two processes at one database: sessions, writes, lists and undo', async () => {
    const config = await prepare();
    const [one, other] = [await openApp(() => open(config)), await openApp(() => open(config))];
    const table = await buildTable(one.database, [{ name: 'no', type: 'integer', unique: true }]);
    await buildUser(one.database, { username: 'admin', role: 'administrator' });
    const first = await one.signedIn('admin');
    const second = other.client();
    for (const [name, value] of first.cookies) second.cookies.set(name, value);
    const either = (i: number) => (i % 2 === 0 ? first : second);
    const path = datasetsPath(table);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        either(i).post(path, { dataset: { no: Math.floor(i / 2) } }),
      ),
    );
    // Each number was sent by both at the same time, and is unique.
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect(statuses.filter((status) => status === 409)).toHaveLength(30);
    const lists = await Promise.all(
      Array.from({ length: 20 }, (_, i) => either(i).get(`${path}?sort=no`)),
    );
    for (const list of lists) expect(list.text).toBe(lists[0]?.text);
    expect(lists[0]?.body).toMatchObject({ meta: { pagination: { total: 30 } } });

    const jrid = Number(Object(lists[0]?.body).datasets[0].jrid);
    expect((await second.put(`${path}/${jrid}`, { dataset: { no: 99 } })).status).toBe(200);
    const { body } = await first.get(`${path}/${jrid}/history`);
    const undone = await second.post(`${path}/undo`, {
      historyIds: [Object(body).history[0].historyId],
    });
    expect(undone.status).toBe(200);
    expect((await first.get(`${path}/${jrid}`)).body).toMatchObject({ datasets: [{ no: 0 }] });
    expect((await second.delete('application/sessions')).status).toBe(204);
    expect((await first.get(path)).status).toBe(401);
  });

  describe('32 writes at once', () => {
    writesAtOnce(open, databases);
  });
});
