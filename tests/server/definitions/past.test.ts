import { beforeEach, expect, it } from 'vitest';
import * as z from 'zod';
import { definitionFileSchema } from '#shared/contract/definition-file.ts';
import { parseJson } from '#shared/values/json.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildRecords, buildTable, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';

const historySchema = z.object({
  history: z.array(z.looseObject({ historyId: z.string(), changes: z.array(z.unknown()) })),
});

describeOnOneDatabase('the past of a definition', (open) => {
  let t: TestApp;
  let admin: TestClient;
  let archive: ArchiveAdministration;
  const NO = { name: 'NO', type: 'text', label: 'Number' };
  const CITY = { name: 'CITY', type: 'text', label: 'City' };
  beforeEach(async () => {
    t = await openApp(open);
    const built = await buildArchive(t.database, [NO, CITY], ['SUBJECT']);
    await buildRecords(t.database, built, [['A-1', 'Bonn']]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    await buildUser(t.database, { username: 'clerk', rights: [rightOn(built, 'write')] });
    admin = await t.signedIn('admin');
    archive = new ArchiveAdministration(admin, built.name);
  });
  const history = async () =>
    historySchema.parse((await admin.get(`${archive.path}/history`)).body).history;

  it('is told by property and field, newest first, and can be restored', async () => {
    await archive.put([
      { ...CITY, name: 'PLACE', renamedFrom: 'CITY' },
      { ...NO, maxLength: 9 },
    ]);
    const [newest, first] = await history();
    expect(newest).toMatchObject({
      user: 'admin',
      call: 'PUT configuration/archives/:archive',
      changes: [
        { name: 'indexFields.PLACE', before: { name: 'CITY' }, after: { name: 'PLACE' } },
        { name: 'indexFields.NO', before: { maxLength: null }, after: { maxLength: 9 } },
        { name: 'indexFields', before: ['NO', 'CITY'], after: ['PLACE', 'NO'] },
      ],
    });
    expect(first?.changes).toHaveLength(4 + 1);
    const revert = `${archive.path}/history/${newest?.historyId}/revert`;
    const plan = await admin.post(`${revert}?dryRun=true`);
    expect(plan).toMatchObject({ status: 200, body: { plan: { safe: true } } });
    expect(await admin.post(revert)).toMatchObject({
      status: 200,
      headers: { etag: '"3"' },
      body: { archives: [{ indexFields: [{ ...NO, maxLength: null }, CITY] }] },
    });
    expect(await archive.values(1)).toEqual({ NO: 'A-1', CITY: 'Bonn' });
    const before = await admin.post(`${archive.path}/history/${first?.historyId}/revert`);
    expect(before).toMatchObject({ status: 409 });
    expect(await admin.post(`${archive.path}/history/999999/revert`)).toMatchObject({
      status: 404,
    });
  });

  it('brings back a field that was retired or converted', async () => {
    await archive.put([{ ...NO, type: 'integer' }, CITY], { onMisfit: 'keep' });
    await archive.put([{ ...NO, type: 'integer' }]);
    const [retired] = await history();
    expect((await admin.post(`${archive.path}/history/${retired?.historyId}/revert`)).status).toBe(
      200,
    );
    expect(await archive.values(1)).toEqual({ NO: null, CITY: 'Bonn' });
    const converted = (await history()).at(-2);
    expect(
      (await admin.post(`${archive.path}/history/${converted?.historyId}/revert`)).status,
    ).toBe(200);
    expect((await archive.get()).indexFields[0]).toMatchObject({ name: 'NO', type: 'text' });
  });

  it('has archives that are hidden from everyone, and come back', async () => {
    const clerk = await t.signedIn('clerk');
    expect((await admin.delete(archive.path)).status).toBe(204);
    for (const client of [admin, clerk]) {
      expect((await client.get(`${archive.records}/index`)).status).toBe(404);
    }
    const definition = await archive.get();
    expect(definition).toMatchObject({ retiredAt: expect.any(String), version: 2, documents: 1 });
    const { guid, table } = definition;
    const again = { archive: { guid, table, name: 'Again', indexFields: [NO] } };
    expect((await admin.post('configuration/archives', again)).status).toBe(409);
    expect((await archive.put([NO])).status).toBe(409);
    expect((await history())[0]?.changes).toMatchObject([{ name: 'retiredAt', before: null }]);

    const [retirement] = await history();
    const revert = `${archive.path}/history/${retirement?.historyId}/revert`;
    expect((await admin.post(`${revert}?dryRun=true`)).body).toMatchObject({
      plan: { safe: true, changes: [{ kind: 'restore', field: null, affected: 1 }] },
    });
    expect(await admin.post(revert)).toMatchObject({ body: { archives: [{ retiredAt: null }] } });
    const [restoration] = await history();
    expect(
      (await admin.post(`${archive.path}/history/${restoration?.historyId}/revert`)).body,
    ).toMatchObject({ archives: [{ retiredAt: expect.any(String) }] });

    const restored = await admin.post(`${archive.path}/restore`);
    expect(restored).toMatchObject({ status: 200, body: { archives: [{ retiredAt: null }] } });
    expect((await clerk.get(`${archive.records}/index`)).status).toBe(200);
  });

  it('is left behind by an export, which is a definition file', async () => {
    const group = {
      name: 'BUYERS',
      rights: { archives: { [(await archive.get()).table]: 'write' } },
    };
    expect((await admin.post('configuration/groups', { group })).status).toBe(201);
    const view = { name: 'In Bonn', shared: true, search: 'where%5BCITY%5D%5Beq%5D=Bonn&sort=-NO' };
    expect((await admin.post(`${archive.records}/views`, view)).status).toBe(201);
    await archive.put([NO, { ...CITY, name: 'PLACE', renamedFrom: 'CITY' }]);
    const exported = await admin.get(`${archive.path}/export`);
    const file = definitionFileSchema.parse(parseJson(exported.text));
    expect(file).toMatchObject({
      archives: [
        {
          definition: { indexFields: [NO, { name: 'PLACE', label: 'City' }] },
          views: [{ name: 'In Bonn', search: 'where%5BPLACE%5D%5Beq%5D=Bonn&sort=-NO' }],
        },
      ],
      groups: [group],
    });
  });

  it('is left behind by the export of a table, with its shared views', async () => {
    const table = await buildTable(t.database, [{ name: 'city' }]);
    const view = { name: 'In Bonn', search: 'where%5Bcity%5D%5Beq%5D=Bonn' };
    const path = `application/dataapp/tables/${table.guid}/views`;
    expect((await admin.post(path, { ...view, shared: true })).status).toBe(201);
    const exported = await admin.get(`configuration/tables/${table.guid}/export`);
    const { tables } = definitionFileSchema.parse(parseJson(exported.text));
    expect(tables).toMatchObject([{ definition: { name: table.name }, views: [view] }]);
  });
});
