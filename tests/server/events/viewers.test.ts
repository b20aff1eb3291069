import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
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
import { listenUntilTestEnds, listenOn, type EventClient } from '#tests/support/event-client.ts';

const SHOWN = { query: '?viewers=true' };
/** Where nobody else comes or goes, the service looks once a second; how long it takes is measured elsewhere. */
const HEARD = { interval: 5 };

/** What was heard last, as `anna` or `anna!` who edits. */
const last = ({ viewers }: EventClient) =>
  viewers.at(-1)?.viewers.map(({ username, editing }) => username + (editing ? '!' : ''));

describeOnOneDatabase('who has a record open', (open) => {
  let t: TestApp;
  let port: number;
  let archive: Archive;
  let table: Table;
  let anna: TestClient;
  let bert: TestClient;
  let path: string;
  /** of another revision */
  let second: string;
  beforeAll(async () => {
    t = await openApp(open);
    port = await listenOn(t);
    archive = await buildArchive(t.database, [{ name: 'T' }]);
    table = await buildTable(t.database, [{ name: 'text' }]);
    await buildRecords(t.database, archive, [['a'], ['b']]);
    await buildRecords(t.database, table, [['a']]);
    for (const username of ['anna', 'bert']) {
      const rights = [rightOn(archive, 'write'), rightOn(table, 'write')];
      await buildUser(t.database, { username, rights });
    }
    anna = await t.signedIn('anna');
    bert = await t.signedIn('bert');
    path = `${archivePath(archive)}/documents/1/viewers`;
    second = `${archivePath(archive)}/documents/2/viewers`;
  });

  it('is told at once to those who have it open, too, when somebody comes, edits and leaves', async () => {
    const [hers, plain] = [
      await listenUntilTestEnds(port, anna, SHOWN),
      await listenUntilTestEnds(port, anna),
    ];
    await anna.put(path, { editing: false });
    await expect.poll(() => last(hers), HEARD).toEqual([]);
    expect(hers.viewers).toMatchObject([{ archive: archive.name, id: '1' }]);
    await bert.put(path, { editing: false });
    await expect.poll(() => last(hers), HEARD).toEqual(['bert']);
    await bert.put(path, { editing: true });
    await expect.poll(() => last(hers), HEARD).toEqual(['bert!']);
    expect(hers.viewers.at(-1)?.viewers).toMatchObject([{ displayName: 'bert' }]);
    // What nobody else is shown differently is not told again.
    const before = hers.viewers.length;
    await bert.put(path, { editing: true });
    await anna.put(path, { editing: true });
    // What is told of another revision comes after what would have been told of this one.
    await anna.put(second, { editing: false });
    await bert.put(second, { editing: false });
    await expect.poll(() => last(hers), HEARD).toEqual(['bert']);
    expect(hers.viewers.slice(before).filter(({ id }) => id === '1')).toEqual([]);
    await bert.delete(second);
    await anna.delete(second);
    await bert.delete(path);
    const first = () => hers.viewers.findLast(({ id }) => id === '1')?.viewers;
    await expect.poll(first, HEARD).toEqual([]);
    expect(plain.viewers).toEqual([]);
    await anna.delete(path);
  });

  it('is told of datasets, and only to those who have that one open', async () => {
    const [hers, his] = [
      await listenUntilTestEnds(port, anna, SHOWN),
      await listenUntilTestEnds(port, bert, SHOWN),
    ];
    await anna.put(second, { editing: false });
    await bert.put(`${datasetsPath(table)}/1/viewers`, { editing: false });
    await expect.poll(() => his.viewers.length, HEARD).toBe(1);
    expect(his.viewers).toMatchObject([{ table: table.guid, id: '1', viewers: [] }]);
    await bert.put(second, { editing: false });
    await expect.poll(() => last(hers), HEARD).toEqual(['bert']);
    expect(hers.viewers.filter(({ archive: name }) => name === undefined)).toEqual([]);
    await bert.delete(`${datasetsPath(table)}/1/viewers`);
    await bert.delete(second);
    await anna.delete(second);
  });

  it('is told to whoever comes back, and when somebody has gone without a word', async () => {
    await anna.put(path, { editing: false });
    await bert.put(path, { editing: false });
    const hers = await listenUntilTestEnds(port, anna, SHOWN);
    await expect.poll(() => last(hers), HEARD).toEqual(['bert']);
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now + 30_000);
    try {
      await anna.put(path, { editing: false });
      clock.mockReturnValue(now + 41_000);
      await expect.poll(() => last(hers), HEARD).toEqual([]);
    } finally {
      clock.mockRestore();
    }
    await anna.delete(path);
    await bert.delete(path);
  });

  it('keeps each window of a session for itself', async () => {
    const hers = await listenUntilTestEnds(port, anna, SHOWN);
    await anna.put(path, { editing: false });
    await bert.put(`${path}?window=left`, { editing: true });
    await bert.put(`${path}?window=right`, { editing: false });
    await expect.poll(() => last(hers), HEARD).toEqual(['bert!']);
    // What one of them tells again says nothing of the other.
    await bert.put(`${path}?window=right`, { editing: false });
    expect((await anna.put(path, { editing: false })).body).toMatchObject({
      viewers: [{ username: 'bert', editing: true }],
    });
    await bert.delete(`${path}?window=left`);
    await expect.poll(() => last(hers), HEARD).toEqual(['bert']);
    await bert.delete(`${path}?window=right`);
    await expect.poll(() => last(hers), HEARD).toEqual([]);
    await anna.delete(path);
  });

  it.each(['?window=a&window=b', `?window=${'a'.repeat(65)}`, '?windows=a'])(
    'refuses %s of a viewer',
    async (query) => {
      expect((await anna.put(path + query, { editing: false })).status).toBe(400);
      expect((await anna.delete(path + query)).status).toBe(400);
    },
  );

  it('leaves the position of the events as it was', async () => {
    const hers = await listenUntilTestEnds(port, anna, SHOWN);
    await expect.poll(() => hers.lastId()).not.toBe('');
    const position = hers.lastId();
    await anna.put(path, { editing: false });
    await bert.put(path, { editing: false });
    await expect.poll(() => last(hers), HEARD).toEqual(['bert']);
    expect(hers.lastId()).toBe(position);
    expect((await listenUntilTestEnds(port, anna, { lastEventId: position })).status).toBe(200);
    await anna.delete(path);
    await bert.delete(path);
  });

  it.each(['?viewers=', '?viewers=yes', '?viewers=1'])('refuses %s', async (query) => {
    expect((await listenUntilTestEnds(port, anna, { query })).status).toBe(400);
  });
});

describe(
  'who has a record open in another of three processes',
  { tags: ['postgres', 'long'] },
  () => {
    const CHANGES = 10;
    const { prepare, open } = testDatabases('postgres');

    it.each(['with notifications', 'by polling'])('is sent %s', async (how) => {
      const given = await prepare();
      const config = how === 'by polling' ? { ...given, ...WITHOUT_NOTIFICATIONS } : given;
      const apps = await Promise.all([1, 2, 3].map(() => openApp(() => open(config))));
      const [first, second, third] = apps;
      if (!first || !second || !third) throw new Error('Not opened');
      const archive = await buildArchive(first.database, [{ name: 'T' }]);
      await buildRecords(first.database, archive, [['a']]);
      for (const username of ['anna', 'bert']) {
        await buildUser(first.database, { username, rights: [rightOn(archive, 'write')] });
      }
      const path = `${archivePath(archive)}/documents/1/viewers`;
      const anna = await second.signedIn('anna');
      const hers = await listenUntilTestEnds(await listenOn(first), anna, SHOWN);
      const bert = await third.signedIn('bert');
      // The service looks for new definitions twice a second.
      await vi.waitFor(async () =>
        expect((await anna.put(path, { editing: false })).status).toBe(200),
      );
      await vi.waitFor(async () =>
        expect((await bert.put(path, { editing: false })).status).toBe(200),
      );
      await expect.poll(() => last(hers), HEARD).toEqual(['bert']);
      const ways: number[] = [];
      for (let i = 0; i < CHANGES; i++) {
        const editing = i % 2 === 0;
        await bert.put(path, { editing });
        const told = performance.now();
        await expect.poll(() => last(hers), HEARD).toEqual([editing ? 'bert!' : 'bert']);
        ways.push(Math.max(0, (hers.viewers.at(-1)?.heardAt ?? 0) - told));
      }
      ways.sort((a, b) => a - b);
      console.log(
        `${how}: ${Math.round(ways[CHANGES / 2] ?? 0)} ms (median), ${Math.round(ways.at(-1) ?? 0)} ms at most`,
      );
      await bert.delete(path);
      await expect.poll(() => last(hers), HEARD).toEqual([]);
    });
  },
);
