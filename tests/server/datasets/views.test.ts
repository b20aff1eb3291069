import { beforeAll, expect, it } from 'vitest';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { lastViewAnswer, viewsAnswer } from '#shared/contract/workspace-answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildTable, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

describeOnOneDatabase('views of data tables', (open) => {
  let t: TestApp;
  let table: Table;
  let archive: Archive;
  let path: string;
  let anna: TestClient;
  let chief: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [{ name: 'NAME' }]);
    table = await buildTable(t.database, [{ name: 'NAME' }]);
    path = `application/dataapp/tables/${table.guid}`;
    for (const [username, access] of [
      ['anna', 'read'],
      ['chief', 'manage'],
    ] as const) {
      const rights = [rightOn(table, access), rightOn(archive, access)];
      await buildUser(t.database, { username, rights });
    }
    await buildUser(t.database, { username: 'stranger' });
    anna = await t.signedIn('anna');
    chief = await t.signedIn('chief');
  });
  const listed = async (client: TestClient, collectionPath = path) =>
    viewsAnswer.parse((await client.get(`${collectionPath}/views`)).body).views;

  it('are kept apart from those of archives, which have the same ids', async () => {
    expect(table.id).toBe(archive.id);
    const view = { name: 'Nameless', shared: false, search: 'where[NAME][null]=true' };
    for (const collectionPath of [path, archivePath(archive)]) {
      expect((await anna.post(`${collectionPath}/views`, view)).status).toBe(201);
      expect((await anna.post(`${collectionPath}/views`, view)).status).toBe(409);
      expect(await listed(anna, collectionPath)).toMatchObject([view]);
    }
    const [own] = await listed(anna);
    const [other] = await listed(anna, archivePath(archive));
    expect((await anna.put(`${path}/views/${other?.viewId}`, view)).status).toBe(404);
    expect((await anna.delete(`${path}/views/${own?.viewId}`)).status).toBe(204);
    expect(await listed(anna)).toEqual([]);
    expect(await listed(anna, archivePath(archive))).toMatchObject([view]);
  });

  it('are shared by who manages the table', async () => {
    const shared = { name: 'All', shared: true, search: '' };
    const refused = await anna.post(`${path}/views`, shared);
    expect(refused.status).toBe(403);
    expect(refused.text).toContain('manage the table');
    expect((await chief.post(`${path}/views`, shared)).status).toBe(201);
    expect(await listed(anna)).toMatchObject([{ ...shared, owner: 'chief', mine: false }]);
    const stranger = await t.signedIn('stranger');
    expect((await stranger.get(`${path}/views`)).status).toBe(404);
    expect((await stranger.put(`${path}/lastview`, { search: '' })).status).toBe(404);
  });

  it('are renamed, made private and deleted only by who manages the table', async () => {
    const shared = { name: 'Everyone’s', shared: true, search: '' };
    const made = viewsAnswer.parse((await chief.post(`${path}/views`, shared)).body).views[0];
    const view = `${path}/views/${made?.viewId}`;
    for (const refused of [
      await anna.put(view, { ...shared, shared: false }),
      await anna.put(view, { ...shared, name: 'Anna’s' }),
      await anna.delete(view),
    ]) {
      expect([refused.status, refused.body]).toMatchObject([403, { code: 'forbidden' }]);
    }
    expect(await listed(anna)).toContainEqual(expect.objectContaining({ ...shared, mine: false }));
    // Others no longer see what its owner keeps alone.
    expect((await chief.put(view, { ...shared, shared: false })).status).toBe(200);
    expect((await listed(anna)).map(({ name }) => name)).not.toContain(shared.name);
    expect((await anna.put(view, shared)).status).toBe(404);
  });

  it('are followed by how a user left the list', async () => {
    const read = async (client: TestClient, collectionPath = path) =>
      lastViewAnswer.parse((await client.get(`${collectionPath}/lastview`)).body).search;
    expect(await read(anna)).toBeNull();
    expect((await anna.put(`${path}/lastview`, { search: 'q=a' })).body).toEqual({ search: 'q=a' });
    await anna.put(`${path}/lastview`, { search: 'q=b' });
    expect([await read(anna), await read(chief)]).toEqual(['q=b', null]);
    expect(await read(anna, archivePath(archive))).toBeNull();
  });
});
