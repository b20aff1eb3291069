/** @module-tag slow */
import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Table } from '#server/database/records/collection.ts';
import { datasetListAnswer, datasetsAnswer } from '#shared/contract/answers.ts';
import { buildUser, openApp, PASSWORD, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  BUILDER,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import {
  describeOnOneDatabase,
  testDatabases,
  WITHOUT_NOTIFICATIONS,
} from '#tests/support/databases.ts';
import { IS_LONG_RUN, repeated } from '#tests/support/effort.ts';
import { listenUntilTestEnds, listenOn } from '#tests/support/event-client.ts';
import { administer } from '#tests/support/postgres-server.ts';
import { readLag } from '#server/modules/history/sequencing-lag.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';
import { tamper } from '../verification/installation.ts';
import { changeUser } from '#server/modules/accounts/users.service.ts';

const create = async (by: TestClient, table: Table, dataset: object = { text: 'x' }) => {
  const answer = await by.post(datasetsPath(table), { dataset });
  const jrid = datasetsAnswer.parse(answer.body).datasets[0]?.['jrid'];
  if (typeof jrid !== 'string') throw new Error(answer.text);
  return jrid;
};

/** Lets everything else have its turn as often. */
async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await setImmediate();
}

describeOnOneDatabase('events', (open) => {
  let t: TestApp;
  let port: number;
  let table: Table;
  let other: Table;
  let anna: TestClient;
  let bert: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    port = await listenOn(t);
    table = await buildTable(t.database, [{ name: 'text' }]);
    other = await buildTable(t.database, [{ name: 'text' }]);
    await buildUser(t.database, {
      username: 'anna',
      rights: [rightOn(table, 'manage'), rightOn(other, 'manage')],
    });
    await buildUser(t.database, { username: 'bert', rights: [rightOn(table, 'read')] });
    anna = await t.signedIn('anna');
    bert = await t.signedIn('bert');
  });

  it('tell of changes to those who may see them', async () => {
    const archive = await buildArchive(t.database, [{ name: 'T' }]);
    await buildRecords(t.database, archive, [['old']]);
    await buildUser(t.database, { username: 'carl', rights: [rightOn(archive, 'write')] });
    const carl = await t.signedIn('carl');
    const [forCarl, forBert] = [
      await listenUntilTestEnds(port, carl),
      await listenUntilTestEnds(port, bert),
    ];
    expect(forBert.status).toBe(200);
    expect(forBert.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
    await expect.poll(() => forBert.text()).toMatch(/^retry: \d+\nid: \d+\n\n/);
    const before = Date.now();
    const hidden = await create(anna, other);
    const jrid = await create(anna, table);
    const body = { indexFields: [{ name: 'T', value: 'new' }] };
    const changed = await carl.patch(`${archivePath(archive)}/documents/1/indexdata`, body);
    expect(changed.status).toBe(200);
    // What comes last for each of them.
    const last = await create(anna, table);
    const fence = { indexFields: [{ name: 'T', value: 'last' }] };
    await carl.patch(`${archivePath(archive)}/documents/1/indexdata`, fence);
    await forBert.until(2);
    await forCarl.until(2);
    const data = forBert.events[0]?.data ?? {};
    expect(forBert.events).toMatchObject([{}, { data: { id: last } }]);
    expect(data).toEqual({ table: table.guid, id: jrid, user: 'anna', at: data['at'] });
    expect(Date.parse(data['at'] ?? '')).toBeGreaterThanOrEqual(before);
    const hisOwn = { data: { archive: archive.name, id: '1', user: 'carl' } };
    expect(forCarl.events).toMatchObject([hisOwn, hisOwn]);
    expect(hidden).not.toBe('');
  });

  it('go on where a client was, in the order of the commits', async () => {
    const first = await listenUntilTestEnds(port, anna);
    const created = [await create(anna, table), await create(anna, table)];
    await first.until(2);
    first.close();
    const missed = [
      await create(anna, table),
      await create(anna, other),
      await create(anna, table),
    ];
    const second = await listenUntilTestEnds(port, anna, {
      lastEventId: String(first.events[0]?.id),
    });
    await second.until(4);
    const later = await create(anna, table);
    await second.until(5);
    expect(second.events.map(({ data }) => data['id'])).toEqual([created[1], ...missed, later]);
    const ids = second.events.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
    // What bert may not see is left out; the rest has the same ids.
    const query = `?lastEventId=${first.events[0]?.id}`;
    const forBert = await listenUntilTestEnds(port, bert, { query });
    await forBert.until(4);
    expect(forBert.events.map(({ id }) => id)).toEqual(ids.filter((_, i) => i !== 2));
  });

  it('continue after entries that somebody has removed past the service', async () => {
    const lastPosition = async () => {
      await expect.poll(() => t.database.read(readLag)).toMatchObject({ entries: 0 });
      return Number((await anna.get('application/sessions')).headers['last-event-id']);
    };
    // Nobody listens, so that the service does not cache what is removed.
    const before = await lastPosition();
    const removed = [await create(anna, table), await create(anna, table)];
    expect(await lastPosition()).toBe(before + 2);
    await tamper(t.database, (db) =>
      db.k
        .deleteFrom('history')
        .where('scope', '=', 'table')
        .where('thing_id', '=', table.id)
        .where('row_id', 'in', removed.map(Number))
        .execute(),
    );
    const lastEventId = String(before);
    const waiting = await listenUntilTestEnds(port, anna, { lastEventId });
    await expect.poll(() => waiting.text()).toContain(`id: ${before}`);
    const jrid = await create(anna, table);
    await waiting.until(1);
    const late = await listenUntilTestEnds(port, anna, { lastEventId });
    await late.until(1);
    expect([waiting, late].map(({ events }) => events.map(({ data }) => data['id']))).toEqual([
      [jrid],
      [jrid],
    ]);
  });

  it('begin where a session was answered: what is read after that and told is all there is', async () => {
    const maybe = () => Math.floor(Math.random() * 4);
    const read = async () => {
      const { body } = await anna.get(`${datasetsPath(table)}?limit=1000&sort=-jrid`);
      const { datasets, meta } = datasetListAnswer.parse(body);
      return new Map(datasets.map(({ jrid }) => [jrid, meta.etags[jrid]]));
    };
    const writeSome = async (count: number) => {
      for (let i = 0; i < count; i++) {
        const jrid = await create(anna, table);
        const path = `${datasetsPath(table)}/${jrid}`;
        if (maybe() > 0) await anna.put(path, { dataset: { text: `changed ${i}` } });
        if (maybe() > 2) await anna.delete(datasetsPath(table), { datasets: [{ jrid }] });
      }
    };
    for (let round = 0; round < repeated(5); round++) {
      const writing = Promise.all([writeSome(maybe()), writeSome(maybe())]);
      await turns(Math.random() * 40);
      const lastEventId = String((await anna.get('application/sessions')).headers['last-event-id']);
      const before = await read();
      const client = await listenUntilTestEnds(port, anna, { lastEventId });
      await writing;
      const fence = await create(anna, table);
      await expect.poll(() => client.events.at(-1)?.data['id']).toBe(fence);
      client.close();
      const told = new Set(client.events.map(({ data }) => data['id']));
      const after = await read();
      const untold = (jrids: Iterable<string>) => [...jrids].filter((jrid) => !told.has(jrid));
      expect(untold(before.keys()).map((jrid) => [jrid, after.get(jrid)])).toEqual(
        untold(before.keys()).map((jrid) => [jrid, before.get(jrid)]),
      );
      expect(untold(after.keys()).filter((jrid) => !before.has(jrid))).toEqual([]);
    }
  });

  it('begin where a sign-in was answered, too', async () => {
    const signIn = { username: 'bert', password: PASSWORD };
    const { status, headers } = await t.client().post('application/sessions', signIn);
    expect([status, headers['last-event-id']]).toEqual([201, expect.stringMatching(/^\d+$/)]);
    const jrid = await create(anna, table);
    const client = await listenUntilTestEnds(port, bert, {
      lastEventId: String(headers['last-event-id']),
    });
    await expect.poll(() => client.events.at(-1)?.data['id']).toBe(jrid);
  });

  it('go on from the very beginning, by reading what is sealed', async () => {
    const client = await listenUntilTestEnds(port, bert, { lastEventId: '0' });
    const jrid = await create(anna, table);
    await expect.poll(() => client.events.at(-1)?.data['id']).toBe(jrid);
  });

  it(
    'are lost by nobody who comes back again and again while others write',
    { tags: ['long'] },
    async () => {
      const start = await listenUntilTestEnds(port, anna);
      await expect.poll(() => start.lastId()).not.toBe('');
      let lastEventId = start.lastId();
      const created: string[] = [];
      const writing = Promise.all(
        Array.from({ length: 4 }, async () => {
          for (let i = 0; i < 25; i++) created.push(await create(anna, table));
        }),
      );
      const heard: number[] = [];
      const told: (string | undefined)[] = [];
      while (told.length < 100) {
        const client = await listenUntilTestEnds(port, anna, { lastEventId });
        await Promise.race([client.until(1), client.ended]);
        await turns(Math.random() * 60);
        client.close();
        lastEventId = client.lastId();
        heard.push(...client.events.map(({ id }) => id));
        told.push(...client.events.map(({ data }) => data['id']));
      }
      await writing;
      expect(heard).toEqual([...new Set(heard)].sort((a, b) => a - b));
      expect(told).toHaveLength(created.length);
      expect(new Set(told)).toEqual(new Set(created));
    },
  );

  it.each(['x', '-1', '1.5', '', '999999999999', '1e3'])('refuse the last id %o', async (id) => {
    const refused = await listenUntilTestEnds(port, anna, { lastEventId: id });
    expect(refused.status).toBe(400);
  });

  it('need a session, and refuse what they do not know', async () => {
    expect((await t.client().get('application/events')).status).toBe(401);
    expect((await listenUntilTestEnds(port, anna, { query: '?since=1' })).status).toBe(400);
    const head = await anna.send('HEAD', 'application/events');
    expect(head.status).toBe(405);
  });

  it('end with the session', async () => {
    const short = await t.signedIn('bert');
    const [client, staying] = [
      await listenUntilTestEnds(port, short),
      await listenUntilTestEnds(port, bert),
    ];
    await short.delete('application/sessions');
    await client.ended;
    await create(anna, table);
    await staying.until(1);
    expect(client.events).toEqual([]);
  });

  it('end when rights change', async () => {
    const dora = await buildUser(t.database, {
      username: 'dora',
      rights: [rightOn(table, 'read')],
    });
    const client = await listenUntilTestEnds(port, await t.signedIn('dora'));
    await t.database.write((db) =>
      db.k.deleteFrom('user_rights').where('user_id', '=', dora.id).execute(),
    );
    await create(anna, table);
    await client.ended;
    expect(client.events).toEqual([]);
    const again = await listenUntilTestEnds(port, await t.signedIn('dora'));
    await t.database.write((db) => changeUser(db, dora, { role: 'administrator' }, BUILDER));
    await again.ended;
    expect(again.events).toEqual([]);
  });

  it('end when a definition changes that the user may see, so that a page reads it again', async () => {
    const archive = await buildArchive(t.database, [{ name: 'T' }]);
    await buildUser(t.database, { username: 'emil', rights: [rightOn(archive, 'read')] });
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    const client = await listenUntilTestEnds(port, await t.signedIn('emil'));
    const staying = await listenUntilTestEnds(port, bert);
    const administration = new ArchiveAdministration(await t.signedIn('root'), archive.name);
    const added = { name: 'ADDED', label: 'Added', type: 'text' };
    const { status } = await administration.put([
      ...(await administration.get()).indexFields,
      added,
    ]);
    expect(status).toBe(200);
    await client.ended;
    await create(anna, table);
    await staying.until(1);
  });

  it('are for a hundred streams of a session at most', async () => {
    const eva = await t.signedIn('bert');
    const first = await listenUntilTestEnds(port, eva);
    for (let i = 1; i < 100; i++) expect((await listenUntilTestEnds(port, eva)).status).toBe(200);
    const refused = await listenUntilTestEnds(port, eva);
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe('60');
    first.close();
    await expect.poll(async () => (await listenUntilTestEnds(port, eva)).status).toBe(200);
  });

  it('are for a hundred streams of a session at most, also if they are opened at the same time', async () => {
    const eva = await t.signedIn('bert');
    const opened = await Promise.all(
      Array.from({ length: 130 }, () => listenUntilTestEnds(port, eva)),
    );
    const answered = opened.filter(({ status }) => status === 200);
    const kept = new Set(answered);
    for (const stream of answered) {
      void stream.ended.then(() => kept.delete(stream));
    }
    await expect.poll(() => kept.size).toBe(100);
    expect((await listenUntilTestEnds(port, eva)).status).toBe(429);
    for (const stream of kept) stream.close();
  });

  it(
    'are for five hundred streams of a person at most, over all sessions',
    { tags: ['long'] },
    async () => {
      await buildUser(t.database, { username: 'fay' });
      for (let i = 0; i < 5; i++) {
        const session = await t.signedIn('fay');
        const opened = await Promise.all(
          Array.from({ length: 100 }, () => listenUntilTestEnds(port, session)),
        );
        for (const { status } of opened) expect(status).toBe(200);
      }
      expect((await listenUntilTestEnds(port, await t.signedIn('fay'))).status).toBe(429);
      expect((await listenUntilTestEnds(port, anna)).status).toBe(200);
    },
  );

  it('end at once when the service stops, and not with its last words unsaid', async () => {
    const stopping = await openApp(open);
    await buildUser(stopping.database, { username: 'anna' });
    const client = await listenUntilTestEnds(
      await listenOn(stopping),
      await stopping.signedIn('anna'),
    );
    const closed = stopping.app.close();
    await client.ended;
    expect(client.response.complete).toBe(true);
    stopping.app.server.closeIdleConnections();
    await closed;
  });
});

describe('a stream of events that has lasted long enough', () => {
  const { open } = testDatabases('sqlite');
  const connections = ({ app }: TestApp) =>
    new Promise<number>((resolve) => app.server.getConnections((_, n) => resolve(n)));

  it('ends, and the client goes on where it was', async () => {
    const t = await openApp(open, { maxStreamSeconds: 0.3 });
    const port = await listenOn(t);
    const table = await buildTable(t.database, [{ name: 'text' }]);
    await buildUser(t.database, { username: 'anna', rights: [rightOn(table, 'write')] });
    const anna = await t.signedIn('anna');
    const heard: (string | undefined)[] = [];
    let stream = await listenUntilTestEnds(port, anna);
    const hearToEnd = async () => {
      await stream.ended;
      expect(stream.response.complete).toBe(true);
      heard.push(...stream.events.map(({ data }) => data['id']));
    };
    const before = await create(anna, table);
    await hearToEnd();
    const meanwhile = await create(anna, table);
    // A stream may end before what it begins with was read.
    while (heard.at(-1) !== meanwhile) {
      stream = await listenUntilTestEnds(port, anna, { lastEventId: stream.lastId() });
      await hearToEnd();
    }
    expect(heard).toEqual([before, meanwhile]);
    await expect.poll(() => connections(t)).toBe(0);
  });

  it(
    'is closed also where nobody takes what it says, and nobody has said that he is gone',
    { tags: ['long'] },
    async () => {
      const t = await openApp(open, { maxStreamSeconds: 0.3 });
      const port = await listenOn(t);
      await buildUser(t.database, { username: 'anna' });
      const silent = await listenUntilTestEnds(port, await t.signedIn('anna'));
      silent.response.pause();
      silent.response.socket.pause();
      await expect.poll(() => connections(t)).toBe(0);
    },
  );
});

describe('a client of events that takes nothing', () => {
  const MANY = 25_000;
  const { open } = testDatabases('sqlite');

  it('is not gathered for, and is cut', { tags: ['long'] }, async () => {
    const t = await openApp(open, { stallSeconds: 1 });
    const port = await listenOn(t);
    const table = await buildTable(t.database, [{ name: 'text' }]);
    await buildUser(t.database, { username: 'anna', role: 'administrator' });
    const anna = await t.signedIn('anna');
    const slow = await listenUntilTestEnds(port, anna);
    slow.response.pause();
    const quick = await listenUntilTestEnds(port, anna);
    // Far more than what the kernel keeps between the two.
    await t.database.write((db) =>
      sql`insert into history (at, username, call, scope, thing_id, row_id, version, kind, changes)
        with recursive rows (id) as (select 1 union all select id + 1 from rows where id < ${MANY})
        select 1, ${'x'.repeat(500)}, 'c', 'table', ${table.id}, id, 1, 'change', '[]' from rows`.execute(
        db.k,
      ),
    );
    await quick.until(MANY);
    expect(new Set(quick.events.map(({ id }) => id)).size).toBe(MANY);
    const count = () =>
      new Promise<number>((resolve) => t.app.server.getConnections((_, n) => resolve(n)));
    await expect.poll(count).toBe(1);
  });
});

describe('events of several processes', { tags: ['postgres'] }, () => {
  const EVENTS = IS_LONG_RUN ? 20 : 3;
  const { prepare, open } = testDatabases('postgres');

  it.each(IS_LONG_RUN ? ['with notifications', 'by polling'] : ['with notifications'])(
    'reach the clients of the others %s',
    async (how) => {
      const given = await prepare();
      const config = how === 'by polling' ? { ...given, ...WITHOUT_NOTIFICATIONS } : given;
      const apps = [await openApp(() => open(config)), await openApp(() => open(config))];
      const [here, there] = apps;
      if (!here || !there) throw new Error('Not opened');
      const table = await buildTable(here.database, [{ name: 'text' }]);
      await buildUser(here.database, { username: 'anna', rights: [rightOn(table, 'write')] });
      const [anna, port] = [await here.signedIn('anna'), await listenOn(there)];
      const away = await there.signedIn('anna');
      // Without notifications a process learns of a new table when its cached definitions expire.
      await expect.poll(async () => (await away.get(datasetsPath(table))).status).toBe(200);
      const client = await listenUntilTestEnds(port, anna);
      await create(anna, table);
      await client.until(1);
      const ways: number[] = [];
      for (let i = 0; i < EVENTS; i++) {
        await create(anna, table);
        const committed = performance.now();
        await client.until(i + 2);
        ways.push((client.events.at(-1)?.heardAt ?? 0) - committed);
      }
      ways.sort((a, b) => a - b);
      const at = (part: number) => Math.round(ways[Math.floor(ways.length * part)] ?? 0);
      console.log(
        `${how}: ${at(0.5)} ms (median), ${at(0.95)} ms (p95) from the answer to the event`,
      );
      expect(client.events).toHaveLength(EVENTS + 1);
    },
  );

  it('are not kept waiting by a transaction that takes long, which is heard of in its turn', async () => {
    const config = await prepare();
    const t = await openApp(() => open(config));
    const port = await listenOn(t);
    const table = await buildTable(t.database, [{ name: 'text' }]);
    await buildUser(t.database, { username: 'anna', rights: [rightOn(table, 'write')] });
    const anna = await t.signedIn('anna');
    const client = await listenUntilTestEnds(port, anna);
    await administer(config.databaseUrl ?? '', async (long) => {
      await long.query('begin');
      await long.query(
        `insert into history (at, username, call, scope, thing_id, row_id, version, kind, changes)
         values (1, 'long', 'c', 'table', ${table.id}, 77, 1, 'change', '[]')`,
      );
      await create(anna, table);
      await create(anna, table);
      await client.until(2);
      await long.query('commit');
      await client.until(3);
    });
    const [first = { id: 0 }] = client.events;
    expect(client.events.map(({ id }) => id - first.id)).toEqual([0, 1, 2]);
    expect(client.events.map(({ data }) => data['user'])).toEqual(['anna', 'anna', 'long']);
  });
});
