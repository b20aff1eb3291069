import { beforeAll, expect, it, vi } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { historyAnswer } from '#shared/contract/answers.ts';
import {
  lastViewAnswer,
  suggestionsAnswer,
  viewersAnswer,
  viewsAnswer,
  type View,
} from '#shared/contract/workspace-answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

describeOnOneDatabase('the desk', (open) => {
  let t: TestApp;
  let archive: Archive;
  let path: string;
  let anna: TestClient;
  let bert: TestClient;
  let chief: TestClient;
  let stranger: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(
      t.database,
      [
        { name: 'SUPPLIER' },
        { name: 'CITY' },
        { name: 'CURRENCY' },
        { name: 'AMOUNT', type: 'decimal', scale: 2 },
      ],
      ['TOPIC'],
    );
    await buildRecords(
      t.database,
      archive,
      [
        ...Array.from({ length: 30 }, () => ['Acme', 'Köln', 'EUR', 1]),
        ...Array.from({ length: 3 }, () => ['Acorn', 'Bern', 'CHF', 2.5]),
        ['Acorn', 'Köln', 'EUR', 2.5],
        ['', null, 'EUR', null],
      ],
      (row) => [row === 33 ? ['oak'] : []],
    );
    path = archivePath(archive);
    for (const username of ['anna', 'bert']) {
      await buildUser(t.database, {
        username,
        displayName: `${username} B.`,
        rights: [rightOn(archive, 'read')],
      });
    }
    await buildUser(t.database, { username: 'chief', rights: [rightOn(archive, 'manage')] });
    await buildUser(t.database, { username: 'stranger' });
    anna = await t.signedIn('anna');
    bert = await t.signedIn('bert');
    chief = await t.signedIn('chief');
    stranger = await t.signedIn('stranger');
  });

  it('tells who else has a revision open, until 40 seconds after', async () => {
    const viewers = `${path}/documents/1/viewers`;
    const look = async (client: TestClient, editing: boolean) => {
      const answer = await client.put(viewers, { editing });
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      return viewersAnswer.parse(answer.body).viewers;
    };
    expect(await look(anna, false)).toEqual([]);
    const [seen, ...more] = await look(bert, false);
    expect([seen, more]).toMatchObject([
      { username: 'anna', displayName: 'anna B.', editing: false },
      [],
    ]);
    expect(await look(anna, true)).toMatchObject([{ username: 'bert', editing: false }]);
    // Two windows are one viewer, who edits where one of them does.
    const second = await t.signedIn('anna');
    expect(await look(second, false)).toMatchObject([{ username: 'bert' }]);
    expect(await look(bert, false)).toEqual([
      { username: 'anna', displayName: 'anna B.', since: seen?.since, editing: true },
    ]);
    const other = await bert.put(`${path}/documents/2/viewers`, { editing: false });
    expect(other.body).toEqual({ viewers: [] });
    expect((await anna.delete(viewers)).status).toBe(204);
    expect((await second.delete(viewers)).status).toBe(204);
    expect(await look(bert, false)).toEqual([]);
    expect(await look(anna, false)).toMatchObject([{ username: 'bert' }]);
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now + 41_000);
    try {
      expect(await look(anna, false)).toEqual([]);
    } finally {
      clock.mockRestore();
    }
    expect((await anna.put(`${path}/documents/999/viewers`, { editing: true })).status).toBe(404);
    expect((await anna.put(viewers, {})).status).toBe(422);
    expect((await stranger.put(viewers, { editing: true })).status).toBe(404);
    const { history } = historyAnswer.parse((await anna.get(`${path}/documents/1/history`)).body);
    expect(history).toEqual([]);
  });

  it('tells who else has a dataset open, and leaves revisions of the same number alone', async () => {
    const table = await buildTable(t.database, [{ name: 'CODE' }]);
    await buildRecords(t.database, table, [['A'], ['B']]);
    for (const username of ['carl', 'dora']) {
      await buildUser(t.database, { username, rights: [rightOn(table, 'read')] });
    }
    const [carl, dora] = [await t.signedIn('carl'), await t.signedIn('dora')];
    const viewers = `${datasetsPath(table)}/1/viewers`;
    // The service looks for new definitions twice a second.
    await vi.waitFor(async () =>
      expect((await carl.put(viewers, { editing: true })).body).toEqual({ viewers: [] }),
    );
    const seen = async (client: TestClient, at: string) =>
      viewersAnswer.parse((await client.put(at, { editing: false })).body).viewers;
    expect(await seen(dora, viewers)).toMatchObject([{ username: 'carl', editing: true }]);
    expect(await seen(dora, `${datasetsPath(table)}/2/viewers`)).toEqual([]);
    expect(await seen(anna, `${path}/documents/1/viewers`)).not.toContainEqual(
      expect.objectContaining({ username: 'carl' }),
    );
    expect((await carl.delete(viewers)).status).toBe(204);
    expect(await seen(dora, viewers)).toEqual([]);
    expect((await carl.put(`${datasetsPath(table)}/99/viewers`, { editing: true })).status).toBe(
      404,
    );
    expect((await stranger.put(viewers, { editing: true })).status).toBe(404);
  });

  it('suggests what goes together with the other fields, then what is used most', async () => {
    const suggest = async (field: string, query: string) => {
      const answer = await anna.get(`${path}/indices/${field}/suggestions?${query}`);
      expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
      return suggestionsAnswer
        .parse(answer.body)
        .suggestions.map(({ value, count }) => [value, count]);
    };
    const acme = ['Acme', 30];
    const acorn = ['Acorn', 4];
    expect(await suggest('SUPPLIER', '')).toEqual([acme, acorn]);
    expect(await suggest('supplier', 'q=ac&given[CITY]=Bern')).toEqual([acorn, acme]);
    expect(await suggest('SUPPLIER', 'given[CITY]=K%C3%B6ln&given[CURRENCY]=EUR')).toEqual([
      acme,
      acorn,
    ]);
    expect(await suggest('SUPPLIER', 'given[keyword.TOPIC]=oak')).toEqual([acorn, acme]);
    expect(await suggest('SUPPLIER', 'given[AMOUNT]=2.5&given[CITY]=')).toEqual([acorn, acme]);
    expect(await suggest('SUPPLIER', 'given[AMOUNT]=half')).toEqual([acme, acorn]);
    expect(await suggest('SUPPLIER', 'q=CORN&given[CITY]=K%C3%B6ln')).toEqual([acorn]);
    expect(await suggest('CITY', 'q=koln')).toEqual([['Köln', 31]]);
    expect(await suggest('AMOUNT', 'given[SUPPLIER]=Acorn')).toEqual([
      [2.5, 4],
      [1, 30],
    ]);
    for (const [query, status] of [
      ['SUPPLIER/suggestions?given[NOTHING]=1', 400],
      ['SUPPLIER/suggestions?p=1', 400],
      ['NOTHING/suggestions', 404],
    ] as const) {
      expect([query, (await anna.get(`${path}/indices/${query}`)).status]).toEqual([query, status]);
    }
  });

  it('keeps views by user or for all, who manage them', async () => {
    const views = `${path}/views`;
    const listed = async (client: TestClient): Promise<View[]> =>
      viewsAnswer.parse((await client.get(views)).body).views;
    const search = 'where%5BSUPPLIER%5D%5Bnull%5D=true&sort=-AMOUNT&widths=SUPPLIER%3A120';
    const missing = { name: ' Supplier missing ', shared: false, search };
    const made = await anna.post(views, missing);
    const own = viewsAnswer.parse(made.body).views[0];
    expect([made.status, own]).toEqual([
      201,
      {
        viewId: expect.any(String),
        name: 'Supplier missing',
        shared: false,
        owner: 'anna',
        mine: true,
        search,
      },
    ]);
    expect(await listed(bert)).toEqual([]);
    expect((await anna.post(views, { ...missing, name: 'SUPPLIER MISSING' })).status).toBe(409);
    expect((await bert.post(views, missing)).status).toBe(201);
    expect((await anna.post(views, { ...missing, name: 'All', shared: true })).status).toBe(403);
    expect((await anna.put(`${views}/${own?.viewId}`, { ...missing, shared: true })).status).toBe(
      403,
    );

    const shared = viewsAnswer.parse(
      (await chief.post(views, { name: 'Not complete', shared: true, search })).body,
    ).views[0];
    expect(await listed(anna)).toMatchObject([
      { name: 'Not complete', shared: true, owner: 'chief', mine: false },
      { name: 'Supplier missing', mine: true },
    ]);
    const sharedPath = `${views}/${shared?.viewId}`;
    const renamed = { name: 'Open', shared: true, search: '' };
    expect((await anna.put(sharedPath, renamed)).status).toBe(403);
    expect((await anna.delete(sharedPath)).status).toBe(403);
    expect((await chief.put(sharedPath, renamed)).body).toMatchObject({ views: [renamed] });
    expect((await chief.put(sharedPath, { ...renamed, name: 'open' })).status).toBe(200);
    expect((await chief.put(`${views}/${own?.viewId}`, missing)).status).toBe(404);
    expect((await anna.put(`${views}/${own?.viewId}`, { ...missing, name: 'Mine' })).status).toBe(
      200,
    );
    expect((await chief.delete(sharedPath)).status).toBe(204);
    expect((await listed(anna)).map(({ name }) => name)).toEqual(['Mine']);
    expect((await anna.delete(`${views}/${own?.viewId}`)).status).toBe(204);
    for (const wrong of [{}, { ...missing, name: '  ' }, { ...missing, search: 1 }]) {
      expect((await anna.post(views, wrong)).status).toBe(422);
    }
    expect((await stranger.get(views)).status).toBe(404);
  });

  it('remembers how a user left the list', async () => {
    const last = `${path}/lastview`;
    const read = async (client: TestClient) =>
      lastViewAnswer.parse((await client.get(last)).body).search;
    expect(await read(anna)).toBeNull();
    expect((await anna.put(last, { search: 'q=a' })).body).toEqual({ search: 'q=a' });
    await anna.put(last, { search: 'q=b' });
    expect([await read(anna), await read(bert)]).toEqual(['q=b', null]);
  });
});
