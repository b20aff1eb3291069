/** @module-tag slow */
import { beforeEach, expect, it } from 'vitest';
import { definedTablesAnswer } from '#shared/contract/configuration-definitions.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildRecords, buildTable } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';

describeOnOneDatabase('a field that is renamed', (open) => {
  let t: TestApp;
  let admin: TestClient;
  let archive: ArchiveAdministration;
  const NET = { name: 'NET', type: 'integer' };
  const VAT = { name: 'VAT', type: 'integer' };
  const CODE = { name: 'CODE', type: 'text' };
  const SWAPPED = [{ ...NET, renamedFrom: 'VAT' }, { ...VAT, renamedFrom: 'NET' }, CODE];
  const CHECKS = [
    { name: 'MORE', rule: 'NET > VAT', when: 'NET > 0', fields: ['NET'] },
    { name: 'TWICE', duplicates: [['NET', 'CODE']] },
  ];
  beforeEach(async () => {
    t = await openApp(open);
    const built = await buildArchive(t.database, [NET, VAT, CODE]);
    await buildRecords(t.database, built, [
      [10, 2, 'a'],
      [1, 2, 'b'],
    ]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    admin = await t.signedIn('admin');
    archive = new ArchiveAdministration(admin, built.name);
  });
  const found = async () =>
    (await admin.get(`${archive.records}/index/ids?where[check][eq]=MORE`)).body;

  it('is followed by checks that are sent as they were, or not at all, also over a swap', async () => {
    await archive.put([NET, VAT, CODE], { checks: CHECKS });
    expect(await found()).toMatchObject({ revisionIds: ['2'] });
    const plan = await archive.plan(SWAPPED);
    expect(plan.changes.map(({ kind, field }) => [kind, field])).not.toContainEqual([
      'change',
      null,
    ]);
    expect((await archive.put(SWAPPED)).status).toBe(200);
    expect((await archive.get()).checks).toMatchObject([
      { rule: 'VAT > NET', when: 'VAT > 0', fields: ['VAT'] },
      { duplicates: [['VAT', 'CODE']] },
    ]);
    expect(await found()).toMatchObject({ revisionIds: ['2'] });

    expect((await archive.put(SWAPPED, { checks: undefined })).status).toBe(200);
    expect((await archive.get()).checks).toMatchObject(CHECKS);
    expect(await found()).toMatchObject({ revisionIds: ['2'] });
  });

  it('is named by checks that are changed with it as they are written', async () => {
    await archive.put([NET, VAT, CODE], { checks: CHECKS });
    const rule = 'VAT >= NET';
    expect((await archive.put(SWAPPED, { checks: [{ ...CHECKS[0], rule }] })).status).toBe(200);
    expect((await archive.get()).checks).toMatchObject([
      { rule, when: 'VAT > 0', fields: ['VAT'] },
    ]);
  });

  it('has another name in saved views also after its values were converted', async () => {
    expect((await archive.put([NET, VAT, { ...CODE, type: 'integer' }])).status).toBe(409);
    const converted = [NET, VAT, { ...CODE, type: 'integer' }];
    expect((await archive.put(converted, { onMisfit: 'keep' })).status).toBe(200);
    const view = { name: 'Codes', shared: true, search: 'sort=CODE' };
    expect((await admin.post(`${archive.records}/views`, view)).status).toBe(201);
    const renamed = [NET, VAT, { ...CODE, type: 'integer', name: 'NUMBER', renamedFrom: 'CODE' }];
    expect((await archive.put(renamed)).status).toBe(200);
    const { body } = await admin.get(`${archive.records}/views`);
    expect(body).toMatchObject({ views: [{ search: 'sort=NUMBER' }] });
  });

  it('gives its name to another one when it is retired', async () => {
    expect((await archive.put([NET, CODE])).status).toBe(200);
    const taking = [NET, { ...CODE, name: 'VAT', renamedFrom: 'CODE' }];
    expect(await archive.put(taking)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const old = { ...VAT, name: 'OLD_VAT', renamedFrom: 'VAT', retiredAt: '2026-01-01T00:00:00Z' };
    expect((await archive.put([...taking, old])).status).toBe(200);
    expect(await archive.values(1)).toEqual({ NET: 10, VAT: 'a' });
    const restored = [NET, { ...CODE, name: 'VAT' }, { ...VAT, name: 'OLD_VAT' }];
    expect((await archive.put(restored)).status).toBe(200);
    expect(await archive.values(1)).toEqual({ NET: 10, VAT: 'a', OLD_VAT: 2 });
  });

  it('gets its name back by a revert, although a new field has it', async () => {
    const gross = { ...NET, name: 'GROSS', renamedFrom: 'NET' };
    expect((await archive.put([gross, VAT, CODE, { name: 'NET', type: 'text' }])).status).toBe(200);
    const [entry] = await archive.definitionHistory();
    const revert = `${archive.path}/history/${entry?.historyId}/revert`;
    expect((await admin.post(revert)).status).toBe(200);
    expect(await archive.values(1)).toEqual({ NET: 10, VAT: 2, CODE: 'a' });
    expect((await archive.get()).indexFields.at(-1)).toMatchObject({
      name: 'NET_before_1',
      type: 'text',
      retiredAt: expect.any(String),
    });
  });

  it('is followed by what its own table says of it', async () => {
    const columns = [
      { name: 'NO', type: 'text' },
      { name: 'PARENT', type: 'text' },
      { name: 'CITY', type: 'text' },
    ];
    const { guid, name } = await buildTable(t.database, columns);
    const path = `configuration/tables/${guid}`;
    const put = (table: unknown) => admin.put(path, { table }, { headers: { 'if-match': '*' } });
    const get = async () => {
      const [table] = definedTablesAnswer.parse((await admin.get(path)).body).tables;
      if (!table) throw new Error('There is no table.');
      return table;
    };
    const [no, parent, city] = columns;
    const optionsFrom = { table: name, column: 'NO', fills: { CITY: 'CITY' } };
    const checks = [{ name: 'KNOWN', rule: `PARENT in ${name}.NO` }];
    const uniqueTogether = [['NO', 'CITY']];
    const full = { name, columns: [no, { ...parent, optionsFrom }, city], uniqueTogether, checks };
    expect((await put(full)).status).toBe(200);
    const before = await get();
    const names: Readonly<Record<string, string>> = { NO: 'CITY', CITY: 'PARENT', PARENT: 'NO' };
    const renamed = before.columns.map((column) => ({
      ...column,
      name: names[column.name],
      renamedFrom: column.name,
    }));
    expect((await put({ ...before, name: 'FIRMS', columns: renamed })).status).toBe(200);
    expect(await get()).toMatchObject({
      version: before.version + 1,
      columns: [
        {},
        {
          name: 'NO',
          optionsFrom: { table: 'FIRMS', column: 'CITY', fills: { PARENT: 'PARENT' } },
        },
        {},
      ],
      uniqueTogether: [['CITY', 'PARENT']],
      checks: [{ rule: 'NO in FIRMS.CITY' }],
    });
  });
});
