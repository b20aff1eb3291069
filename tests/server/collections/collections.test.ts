import { beforeAll, expect, it } from 'vitest';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildRecords, buildTable, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

describeOnOneDatabase('the catalogue', (open) => {
  let t: TestApp;
  let first: Archive;
  let second: Archive;
  let table: Table;
  let admin: TestClient;
  let clerk: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    first = await buildArchive(
      t.database,
      [
        {
          name: 'NO',
          label: 'Invoice no.',
          required: true,
          maxLength: 40,
          pattern: '[0-9]+',
          description: 'As printed.',
        },
        { name: 'Amount', type: 'decimal', scale: 4, min: 0, max: '100.5' },
        { name: 'STATE', options: ['b', 'a'] },
      ],
      ['SUBJECT'],
    );
    second = await buildArchive(t.database, [{ name: 'NO' }]);
    table = await buildTable(t.database, [
      { name: 'no', unique: true, type: 'integer', default: '7' },
      { name: 'since', type: 'date', min: '2000-01-01' },
    ]);
    await buildRecords(t.database, first, [
      ['1', 1, 'a'],
      ['2', null, null],
    ]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    await buildUser(t.database, {
      username: 'Clerk',
      rights: [rightOn(second, 'write'), rightOn(table, 'read')],
    });
    await buildUser(t.database, {
      username: 'reader',
      role: 'reader',
      rights: [rightOn(first, 'manage')],
    });
    admin = await t.signedIn('admin');
    clerk = await t.signedIn('clerk');
  });
  const NO_RULES = {
    required: false,
    maxLength: null,
    scale: null,
    options: null,
    min: null,
    max: null,
    pattern: null,
    description: '',
    optionsFrom: null,
  };
  const summary = ({ guid, name }: Archive, documents: number, rights: string) => ({
    guid,
    table: name,
    name,
    description: '',
    documents,
    rights,
  });

  it('names the archives that a user may see, in definition order, with the rights', async () => {
    expect((await admin.get('application/users/admin/archives')).body).toEqual({
      users: { archives: [summary(first, 2, 'manage'), summary(second, 0, 'manage')] },
    });
    const own = { users: { archives: [summary(second, 0, 'write')] } };
    for (const name of ['clerk', 'Clerk', 'CLERK']) {
      expect((await clerk.get(`application/users/${name}/archives`)).body).toEqual(own);
    }
    expect((await admin.get('application/users/clerk/archives')).body).toEqual(own);
    const reader = await t.signedIn('reader');
    expect((await reader.get('application/users/reader/archives')).body).toEqual({
      users: { archives: [summary(first, 2, 'read')] },
    });
    for (const path of ['admin/archives', 'nobody/archives', `admin/archives/${second.name}`]) {
      expect((await clerk.get(`application/users/${path}`)).status).toBe(404);
    }
    expect((await admin.get('application/users/nobody/archives')).status).toBe(404);
  });

  it('describes an archive, by its GUID or table name', async () => {
    const answer = await admin.get(`application/users/admin/archives/${first.name.toLowerCase()}`);
    expect(answer.body).toEqual({
      users: {
        archives: [
          {
            ...summary(first, 2, 'manage'),
            indexFieldDefinitions: [
              {
                ...NO_RULES,
                name: 'NO',
                label: 'Invoice no.',
                type: 'text',
                required: true,
                maxLength: 40,
                pattern: '[0-9]+',
                description: 'As printed.',
              },
              {
                ...NO_RULES,
                name: 'Amount',
                label: 'Amount',
                type: 'decimal',
                scale: 4,
                min: 0,
                max: 100.5,
              },
              { ...NO_RULES, name: 'STATE', label: 'STATE', type: 'text', options: ['b', 'a'] },
            ],
            keywordFieldDefinitions: [{ name: 'SUBJECT', label: 'SUBJECT' }],
          },
        ],
      },
    });
    const byGuid = await admin.get(`application/users/admin/archives/${first.guid.toUpperCase()}`);
    expect(byGuid.text).toBe(answer.text);
    expect((await clerk.get(`application/users/clerk/archives/${first.guid}`)).status).toBe(404);
    expect((await clerk.get('application/users/clerk/archives/NOPE')).status).toBe(404);
  });

  it('names and describes tables', async () => {
    const { guid, name } = table;
    const described = { guid, name, label: name, description: '', datasets: 0, rights: 'read' };
    expect((await clerk.get('application/dataapp/tables')).body).toEqual({ tables: [described] });
    expect((await clerk.get(`application/dataapp/tables/${guid.toUpperCase()}`)).body).toEqual({
      tables: [
        {
          ...described,
          columns: [
            { ...NO_RULES, name: 'no', label: 'no', type: 'integer', default: 7, unique: true },
            {
              ...NO_RULES,
              name: 'since',
              label: 'since',
              type: 'date',
              min: '2000-01-01',
              default: null,
              unique: false,
            },
          ],
        },
      ],
    });
    const reader = await t.signedIn('reader');
    expect((await reader.get('application/dataapp/tables')).body).toEqual({ tables: [] });
    expect((await reader.get(`application/dataapp/tables/${guid}`)).status).toBe(404);
    // A table is found by its GUID alone.
    expect((await admin.get(`application/dataapp/tables/${name}`)).status).toBe(404);
    expect((await admin.get('application/dataapp/tables?limit=1')).status).toBe(400);
  });

  it('describes where options come from only to who may see that table', async () => {
    // Definitions are read once by a service, so they come before its first request.
    const other = await openApp(open);
    const { database } = other;
    const hidden = await buildTable(database, [{ name: 'secret' }, { name: 'more' }]);
    const optionsFrom = { table: hidden.name, column: 'secret', fills: { NO: 'more' } };
    const fields = [{ name: 'NO' }, { name: 'FROM', optionsFrom }];
    const archive = await buildArchive(database, fields);
    const visible = await buildTable(database, fields);
    const missing = { table: 'NOWHERE', column: 'x' };
    const lost = await buildArchive(database, [{ name: 'FROM', optionsFrom: missing }]);
    await buildUser(database, { username: 'admin', role: 'administrator' });
    const seen = [archive, visible, lost].map((collection) => rightOn(collection, 'write'));
    await buildUser(database, { username: 'apart', rights: seen });
    await buildUser(database, {
      username: 'within',
      rights: [...seen, rightOn(hidden, 'read')],
    });
    const about = async (reader: string, by: TestClient) => ({
      archive: (await by.get(`application/users/${reader}/archives/${archive.name}`)).body,
      lost: (await by.get(`application/users/${reader}/archives/${lost.name}`)).body,
    });
    const table = async (by: TestClient) =>
      (await by.get(`application/dataapp/tables/${visible.guid}`)).body;
    const told = (from: unknown) => ({
      archive: {
        users: { archives: [{ indexFieldDefinitions: [{}, { optionsFrom: from }] }] },
      },
      lost: { users: { archives: [{ indexFieldDefinitions: [{ optionsFrom: null }] }] } },
    });
    const [apart, within] = [await other.signedIn('apart'), await other.signedIn('within')];
    expect(await about('within', within)).toMatchObject(told(optionsFrom));
    expect(await table(within)).toMatchObject({ tables: [{ columns: [{}, { optionsFrom }] }] });
    expect(await about('apart', apart)).toMatchObject(told(null));
    expect(await table(apart)).toMatchObject({
      tables: [{ columns: [{}, { optionsFrom: null }] }],
    });
    const administrator = await other.signedIn('admin');
    // What an administrator is told of another user is what that user sees.
    expect(await about('apart', administrator)).toMatchObject(told(null));
    expect(await about('admin', administrator)).toMatchObject(told(optionsFrom));
    expect(JSON.stringify([await about('apart', apart), await table(apart)])).not.toContain(
      hidden.name,
    );
  });
});
