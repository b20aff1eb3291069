import { beforeAll, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

const GROUPS = 'configuration/groups';

describeOnOneDatabase('groups', (open) => {
  let t: TestApp;
  let root: TestClient;
  let archive: Archive;
  beforeAll(async () => {
    t = await openApp(open);
    archive = await buildArchive(t.database, [{ name: 'NO' }, { name: 'TOTAL' }]);
    await buildUser(t.database, { username: 'root', role: 'administrator' });
    for (const username of ['anna', 'ben', 'rita']) await buildUser(t.database, { username });
    root = await t.signedIn('root');
  });

  it('give their members rights beside their own', async () => {
    const anna = await t.signedIn('anna');
    const list = `${archivePath(archive)}/index`;
    expect((await anna.get(list)).status).toBe(404);
    const group = {
      name: 'INVOICES_DE',
      label: 'German invoices',
      rights: { archives: { [archive.name]: { right: 'write', fields: { TOTAL: 'read' } } } },
      members: ['ANNA'],
    };
    const created = await root.post(GROUPS, { group });
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      groups: [{ ...group, rights: { ...group.rights, tables: {} }, members: ['anna'] }],
    });
    expect((await anna.get(list)).status).toBe(200);
    expect((await root.get('configuration/users/anna')).body).toMatchObject({
      users: [{ groups: ['INVOICES_DE'], rights: { archives: {} } }],
    });
    const access = async (username: string) =>
      (await root.get(`configuration/users/${username}/access`)).body;
    const total = (level: string) => [
      { name: 'NO', access: 'write' },
      { name: 'TOTAL', access: level },
    ];
    expect(await access('anna')).toMatchObject({
      access: [{ right: 'write', fields: total('read'), because: ['group INVOICES_DE'] }],
    });
    // The greatest of all sources.
    const own = { archives: { [archive.name]: { right: 'write', fields: { NO: 'hidden' } } } };
    await root.patch('configuration/users/anna', { user: { rights: own } });
    expect(await access('anna')).toMatchObject({
      access: [
        { right: 'write', fields: total('write'), because: ['group INVOICES_DE', 'own right'] },
      ],
    });
    await root.patch('configuration/users/rita', {
      user: { role: 'reader', groups: ['invoices_de'] },
    });
    expect(await access('rita')).toMatchObject({
      access: [
        {
          right: 'read',
          fields: [{ access: 'read' }, { access: 'read' }],
          because: ['role reader', 'group INVOICES_DE'],
        },
      ],
    });
  });

  it('are changed where they are as If-Match says, and their members in both directions', async () => {
    const one = `${GROUPS}/changing`;
    await root.post(GROUPS, { group: { name: 'CHANGING', members: ['anna'] } });
    const before = await root.get(one);
    expect(before.body).toMatchObject({ groups: [{ label: 'CHANGING', members: ['anna'] }] });
    await root.patch('configuration/users/ben', { user: { groups: ['CHANGING'] } });
    const headers = { 'if-match': String(before.headers['etag']) };
    const late = await root.patch(one, { group: { members: [] } }, { headers });
    expect(late).toMatchObject({ status: 412, body: { current: { members: ['anna', 'ben'] } } });
    await root.patch(one, { group: { label: 'New', members: ['ben', 'ben'] } });
    expect((await root.get(one)).body).toMatchObject({
      groups: [{ label: 'New', members: ['ben'] }],
    });
    expect((await root.get('configuration/users/anna')).text).not.toContain('CHANGING');
  });

  it('are refused with a taken name, unknown members, or a name that is none', async () => {
    const status = async (group: object) => (await root.post(GROUPS, { group })).status;
    expect(await status({ name: 'TAKEN' })).toBe(201);
    expect(await status({ name: 'taken' })).toBe(409);
    expect(await status({ name: 'OTHER', members: ['nobody'] })).toBe(422);
    expect(await status({ name: 'no name' })).toBe(422);
    expect((await root.get(`${GROUPS}/OTHER`)).status).toBe(404);
    const wrong = { members: ['nobody'], rights: { archives: { NONE: 'read' } } };
    const added = await root.post(GROUPS, { group: { name: 'TAKEN', ...wrong } });
    const headers = { 'if-match': '"old"' };
    const changed = await root.patch(`${GROUPS}/TAKEN`, { group: wrong }, { headers });
    const unknown = { members: [expect.anything()], 'rights.archives.NONE': [expect.anything()] };
    expect(added).toMatchObject({
      status: 422,
      body: { errors: { name: [expect.anything()], ...unknown } },
    });
    expect(changed).toMatchObject({
      status: 412,
      body: { errors: { '-': [expect.anything()], ...unknown }, current: { name: 'TAKEN' } },
    });
  });

  it('have thousands of members', async () => {
    const members = Array.from({ length: 1_001 }, () => 'anna');
    const group = { name: 'MANY', members };
    expect(await root.post(GROUPS, { group })).toMatchObject({
      status: 201,
      body: { groups: [{ members: ['anna'] }] },
    });
  });

  it('take their rights with them', async () => {
    const rights = { archives: { [archive.name]: 'write' } };
    await root.post(GROUPS, { group: { name: 'LEAVING', rights, members: ['ben'] } });
    const ben = await t.signedIn('ben');
    expect((await ben.get(`${archivePath(archive)}/index`)).status).toBe(200);
    expect((await root.delete(`${GROUPS}/leaving`)).status).toBe(204);
    expect((await ben.get(`${archivePath(archive)}/index`)).status).toBe(404);
    expect((await root.delete(`${GROUPS}/leaving`)).status).toBe(404);
    expect((await root.post(GROUPS, { group: { name: 'LEAVING' } })).status).toBe(201);
  });
});
