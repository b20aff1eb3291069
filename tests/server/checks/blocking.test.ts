/** @module-tag slow */
import { beforeEach, expect, it } from 'vitest';
import { revisionsAnswer } from '#shared/contract/answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
} from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';

const block = (name: string, rule: string, more = {}) => ({
  name,
  label: `${name} is wrong`,
  rule,
  severity: 'block',
  ...more,
});

describeOnOneDatabase('checks that refuse a save', (open) => {
  let t: TestApp;
  let admin: TestClient;
  beforeEach(async () => {
    t = await openApp(open);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    admin = await t.signedIn('admin');
  });

  it('do so under the fields of the condition, or under the record, where the rule names no field', async () => {
    const checks = [
      block('OVER', 'today < 2000-01-01', { when: "KIND = 'x'" }),
      block('NEVER', 'today < 2000-01-01'),
    ];
    const table = await buildTable(t.database, [{ name: 'KIND' }], undefined, { checks });
    const add = (dataset: object) => admin.post(datasetsPath(table), { dataset });
    const never = [expect.stringContaining('NEVER')];
    expect(await add({ KIND: 'x' })).toMatchObject({
      status: 422,
      body: { errors: { 'dataset.KIND': [expect.stringContaining('OVER')], '-': never } },
    });
    expect((await add({ KIND: 'y' })).body).toHaveProperty('errors', { '-': never });
  });

  it('look up what the same call saves', async () => {
    const checks = [block('TREE', 'PARENT in NODES.NO')];
    const columns = [{ name: 'NO' }, { name: 'PARENT' }];
    const table = await buildTable(t.database, columns, 'NODES', { checks });
    const add = (...datasets: object[]) => admin.post(datasetsPath(table), { datasets });
    expect((await add({ NO: 'A', PARENT: 'A' })).status).toBe(200);
    expect((await add({ NO: 'C', PARENT: 'B' }, { NO: 'B' })).status).toBe(200);
    expect(await add({ NO: 'D', PARENT: 'E' })).toMatchObject({
      status: 422,
      body: { errors: { 'datasets.0.PARENT': [expect.stringContaining('TREE')] } },
    });
  });

  it('leave older revisions alone', async () => {
    const fields = [{ name: 'NO' }];
    const checks = [block('SHORT', 'length(NO) < 3')];
    const archive = await buildArchive(t.database, fields, [], { checks });
    await buildRecords(t.database, archive, [['a']]);
    const path = archivePath(archive);
    const form = formOf([
      ['indexFields[0][name]', 'NO'],
      ['indexFields[0][value]', 'b'],
    ]);
    const added = await admin.post(`${path}/documents/1`, form.body, { headers: form.headers });
    const [newest] = revisionsAnswer.parse(added.body).archivedocumentrevisions;
    const save = (id: unknown) =>
      admin.patch(`${path}/documents/${String(id)}/indexdata`, {
        indexFields: [{ name: 'NO', value: 'long' }],
      });
    expect((await save(1)).status).toBe(200);
    expect((await save(newest?.revisionId)).status).toBe(422);
  });

  it('say nothing about a value that cannot be read', async () => {
    const columns = [{ name: 'NET', type: 'integer' }, { name: 'NO' }];
    const checks = [block('GIVEN', 'not empty(NET)'), block('NUMBERED', "NO <> 'x'")];
    const table = await buildTable(t.database, columns, undefined, { checks });
    const answer = await admin.post(datasetsPath(table), { dataset: { NET: 'many', NO: 'x' } });
    expect(answer).toMatchObject({
      status: 422,
      body: {
        errors: {
          'dataset.NET': [expect.not.stringContaining('GIVEN')],
          'dataset.NO': [expect.stringContaining('NUMBERED')],
        },
      },
    });
  });
});
