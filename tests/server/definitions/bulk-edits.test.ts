/** @module-tag slow */
import { beforeEach, expect, it } from 'vitest';
import { valueAliasesAnswer } from '#shared/contract/value-cleanup.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildTable, datasetsPath } from '#tests/support/builders.ts';
import { bulkEditOf, ended, planAt, revisionsOf } from '#tests/support/bulk-edits.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';

const A = { name: 'A', type: 'text' };
const B = { name: 'B', type: 'text' };

describeOnOneDatabase('a bulk edit of before a change of the definition', (open) => {
  let t: TestApp;
  let admin: TestClient;
  let archive: ArchiveAdministration;
  beforeEach(async () => {
    t = await openApp(open);
    const built = await buildArchive(t.database, [A, B], ['TAG']);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    admin = await t.signedIn('admin');
    archive = new ArchiveAdministration(admin, built.name);
    const form = formOf([
      ['indexFields[0][name]', 'A'],
      ['indexFields[0][value]', '1'],
      ['indexFields[1][name]', 'B'],
      ['indexFields[1][value]', 'b'],
    ]);
    const { headers } = form;
    const created = await admin.post(`${archive.records}/documents`, form.body, { headers });
    if (created.status !== 201) throw new Error(created.text);
  });

  const plan = (field: string) =>
    planAt(admin, `${archive.records}/bulkedits`, { filter: '' }, [
      { field, do: 'set', value: 'new' },
    ]);
  const planReplacements = async (field: string, replacement: object) => {
    const body = { replacements: [replacement], remember: true };
    const path = `${archive.records}/indices/${field}/replacements`;
    const { bulkEditId } = bulkEditOf(await admin.post(path, body));
    return `${archive.records}/bulkedits/${bulkEditId}`;
  };
  const run = async (at: string, action: 'apply' | 'undo') => {
    const body = action === 'apply' ? { onChanged: 'leaveOut' } : undefined;
    expect((await admin.post(`${at}/${action}`, body)).status).toBe(200);
    return ended(admin, at);
  };
  const change = async (...fields: Readonly<Record<string, unknown>>[]) =>
    expect(await archive.put(fields)).toMatchObject({ status: 200 });
  const swapped = [
    { ...A, renamedFrom: 'B' },
    { ...B, renamedFrom: 'A' },
  ];

  it('follows fields whose names were swapped, also when it is reverted', async () => {
    const at = await plan('A');
    await change(...swapped);
    expect(await revisionsOf(admin, at)).toMatchObject([{ changes: [{ name: 'B', before: '1' }] }]);
    await run(at, 'apply');
    expect(await archive.values(1)).toEqual({ A: 'b', B: 'new' });
    await change(...swapped);
    await run(at, 'undo');
    expect(await archive.values(1)).toEqual({ A: '1', B: 'b' });
  });

  it('is tried again for the field whose name was swapped', async () => {
    const at = await plan('A');
    const edit = { indexFields: [{ name: 'B', value: 'c' }] };
    await admin.patch(`${archive.records}/documents/1/indexdata`, edit);
    expect(await run(at, 'apply')).toMatchObject({ counts: { conflicts: 1 } });
    await change(...swapped);
    const again = bulkEditOf(await admin.post(`${at}/again`));
    expect(again).toMatchObject({ edits: [{ field: 'B', value: 'new' }], counts: { changed: 1 } });
    await run(`${archive.records}/bulkedits/${again.bulkEditId}`, 'apply');
    expect(await archive.values(1)).toEqual({ A: 'c', B: 'new' });
  });

  it('is not tried again for a field that is gone, also if another has its name', async () => {
    const at = await plan('A');
    await change({ ...A, type: 'integer' }, B);
    await run(at, 'apply');
    expect(await admin.post(`${at}/again`)).toMatchObject({
      status: 422,
      body: { errors: { 'edits.0.field': [expect.stringContaining('no longer exists')] } },
    });
  });

  it('is tried again for keywords', async () => {
    const document = `${archive.records}/documents/1`;
    await admin.patch(`${document}/indexdata`, { keywordFields: [{ name: 'TAG', keywords: 'x' }] });
    const at = await planReplacements('keyword.TAG', { from: 'x', to: 'y' });
    await admin.patch(`${document}/indexdata`, { indexFields: [{ name: 'A', value: '2' }] });
    expect(await run(at, 'apply')).toMatchObject({ counts: { conflicts: 1 } });
    const again = await admin.post(`${at}/again`);
    expect(bulkEditOf(again)).toMatchObject({
      edits: [{ field: 'keyword.TAG', do: 'replaceValues' }],
      counts: { changed: 1 },
    });
  });

  it('remembers corrections for the field whose name was swapped', async () => {
    const at = await planReplacements('A', { from: '1', to: 'one' });
    await change(...swapped);
    await run(at, 'apply');
    const aliases = async (field: string) =>
      valueAliasesAnswer.parse(
        (await admin.get(`${archive.records}/indices/${field}/aliases`)).body,
      ).aliases;
    expect(await aliases('A')).toEqual([]);
    expect(await aliases('B')).toMatchObject([{ alias: '1', value: 'one' }]);
  });

  it('gives new records the defaults of columns that were added or shown since', async () => {
    const columns = [{ name: 'NO' }, { name: 'CITY', default: 'Bern' }];
    const table = await buildTable(t.database, [...columns, { name: 'NOTE', default: 'none' }]);
    await buildUser(t.database, { username: 'anna' });
    const anna = await t.signedIn('anna');
    const grant = async (fields: object) => {
      const rights = { tables: { [table.guid]: { right: 'write', fields } } };
      const answer = await admin.patch('configuration/users/anna', { user: { rights } });
      expect(answer.status).toBe(200);
    };
    await grant({ NOTE: 'hidden' });
    const form = formOf([
      ['mode', 'create'],
      ['files[0]', { name: 'rows.csv', bytes: 'NO,CITY\n1,\n' }],
    ]);
    const path = datasetsPath(table).replace(/\/datasets$/, '');
    const sent = await anna.post(`${path}/imports`, form.body, { headers: form.headers });
    const at = `${path}/bulkedits/${bulkEditOf(sent).bulkEditId}`;

    const definitionPath = `configuration/tables/${table.guid}`;
    const { body, headers } = await admin.get(definitionPath);
    const [definition] = Object(body).tables;
    const added = { name: 'STATUS', type: 'text', required: true, default: 'open' };
    const changed = await admin.put(
      definitionPath,
      { table: { ...definition, columns: [...definition.columns, added] } },
      { headers: { 'if-match': String(headers.etag) } },
    );
    expect(changed.status).toBe(200);
    await grant({});
    await anna.post(`${at}/apply`, { onChanged: 'leaveOut' });
    expect(await ended(anna, at)).toMatchObject({ counts: { done: 1, conflicts: 0 } });
    expect((await admin.get(datasetsPath(table))).body).toMatchObject({
      datasets: [{ NO: '1', CITY: null, NOTE: 'none', STATUS: 'open' }],
    });
  });

  it('writes nothing to another field that has the name now', async () => {
    const at = await plan('A');
    // Its values are converted into another field of the same name.
    await change({ ...A, type: 'integer' }, B);
    expect(await run(at, 'apply')).toMatchObject({ counts: { done: 0, conflicts: 1 } });
    expect(await revisionsOf(admin, at)).toMatchObject([
      { outcome: 'conflict', message: expect.stringContaining('no longer has an index field A') },
    ]);
    expect(await archive.values(1)).toEqual({ A: 1, B: 'b' });
  });
});
