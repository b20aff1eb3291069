/** @module-tag slow */
import { beforeEach, expect, it, vi } from 'vitest';
import {
  historyAnswer,
  indexAnswer,
  revisionDetailAnswer,
  revisionsAnswer,
} from '#shared/contract/answers.ts';
import { checksAnswer } from '#shared/contract/check-answers.ts';
import { bulkEditOf } from '#tests/support/bulk-edits.ts';
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
import { ArchiveAdministration } from '../../support/definitions-client.ts';
import { findings } from '../purges/purging.ts';

describeOnOneDatabase('exceptions of checks', (open) => {
  let t: TestApp;
  let admin: TestClient;
  let path: string;
  beforeEach(async () => {
    t = await openApp(open);
    const suppliers = await buildTable(t.database, [{ name: 'NAME' }], 'SUPPLIERS');
    await buildRecords(t.database, suppliers, [['Acme'], ['Bolt']]);
    const optionsFrom = { table: 'SUPPLIERS', column: 'NAME' };
    const fields = [
      { name: 'NO', type: 'text' },
      { name: 'SELLER', type: 'text', optionsFrom },
      { name: 'BUYER', type: 'text', optionsFrom },
    ];
    const archive = await buildArchive(t.database, fields);
    await buildRecords(t.database, archive, [
      ['A 1', 'Nobody', 'Acme'],
      ['A 1', 'Bolt', 'Acme'],
      ['A 2', 'Acme', 'Bolt'],
    ]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    admin = await t.signedIn('admin');
    path = archivePath(archive);
    const checks = [
      { name: 'LONG', rule: 'length(NO) > 5' },
      { name: 'TWICE', duplicates: [['NO']] },
    ];
    await new ArchiveAdministration(admin, archive.name).put(fields, { checks });
  });
  const except = (id: number, check: string, body: unknown) =>
    admin.put(`${path}/documents/${id}/exceptions/${check}`, body);
  const save = (id: number, name: string, value: unknown) =>
    admin.patch(`${path}/documents/${id}/indexdata`, { indexFields: [{ name, value }] });
  const found = async (check: string) =>
    (await admin.get(`${path}/index/ids?where[check][eq]=${check}`)).body;
  const listed = async () =>
    indexAnswer.parse((await admin.get(`${path}/index?findings=true`)).body).meta.findings;
  const counted = (expected: Record<string, readonly [count: number, excepted: number]>) =>
    vi.waitFor(async () => {
      const { checks } = checksAnswer.parse((await admin.get(`${path}/checks`)).body);
      const counts = checks.map(({ name, count, excepted }) => [name, [count, excepted]]);
      expect(Object.fromEntries(counts)).toMatchObject(expected);
    });

  it('of a built-in check are for the fields that it found', async () => {
    expect((await except(1, '_lookup', { reason: 'a new one' })).body).toMatchObject({
      meta: {
        exceptions: [{ check: '_lookup', fields: ['SELLER'] }],
      },
    });
    const plan = await admin.post(`${path}/bulkedits`, {
      selection: { revisionIds: [1] },
      edits: [{ field: 'BUYER', do: 'set', value: 'Somebody' }],
    });
    expect(bulkEditOf(plan).findings).toMatchObject([{ check: '_lookup', brings: 1, removes: 0 }]);
    const lookup = (fields: readonly string[]) =>
      expect.objectContaining({ check: '_lookup', fields });
    expect((await save(1, 'BUYER', 'Somebody')).body).toMatchObject({
      meta: {
        findings: expect.arrayContaining([lookup(['BUYER'])]),
        exceptions: [lookup(['SELLER'])],
      },
    });
    expect(await found('_lookup')).toMatchObject({ revisionIds: ['1'] });
    expect((await listed())?.['1']).toContainEqual(lookup(['BUYER']));
    expect((await except(1, '_lookup', { reason: 'both are new' })).body).toMatchObject({
      meta: { exceptions: [lookup(['SELLER', 'BUYER'])] },
    });
    expect((await listed())?.['1']).not.toContainEqual(
      expect.objectContaining({ check: '_lookup' }),
    );
    await counted({ _lookup: [0, 1] });
    expect((await save(1, 'BUYER', 'Acme')).body).not.toHaveProperty('meta.exceptions');
    expect(await found('_lookup')).toMatchObject({ revisionIds: ['1'] });
  });

  it('about fields that are hidden from a person do not exist for that person', async () => {
    const name = path.split('/').at(-1) ?? '';
    const rights = { archives: { [name]: { right: 'write', fields: { SELLER: 'hidden' } } } };
    await buildUser(t.database, { username: 'anna' });
    expect((await admin.patch('configuration/users/anna', { user: { rights } })).status).toBe(200);
    const anna = await t.signedIn('anna');
    const document = `${path}/documents/1`;
    const exception = `${document}/exceptions/_lookup`;
    const excepted = async (client: TestClient) => {
      const { checks } = checksAnswer.parse((await client.get(`${path}/checks`)).body);
      return checks.find((check) => check.name === '_lookup')?.excepted;
    };
    await except(1, '_lookup', { reason: 'a new one' });

    expect((await anna.get(document)).body).not.toHaveProperty('meta.exceptions');
    expect(await excepted(anna)).toBe(0);
    expect(await excepted(admin)).toBe(1);
    expect((await anna.put(exception, { reason: 'so it is' })).status).toBe(422);
    expect((await anna.delete(exception)).status).toBe(200);
    const ofAdmin = { meta: { exceptions: [{ check: '_lookup', fields: ['SELLER'] }] } };
    expect((await admin.get(document)).body).toMatchObject(ofAdmin);

    // One about another field neither ends nor replaces it.
    await save(1, 'BUYER', 'Somebody');
    const own = { check: '_lookup', fields: ['BUYER'], reason: 'so it is', by: 'anna' };
    const hidden = { check: '_lookup', fields: ['SELLER'], reason: 'a new one', by: 'admin' };
    const exceptions = async (client: TestClient) =>
      revisionDetailAnswer.parse((await client.get(document)).body).meta?.exceptions ?? [];
    expect((await anna.put(exception, { reason: 'so it is' })).body).toMatchObject({
      meta: {
        findings: expect.not.arrayContaining([expect.objectContaining({ check: '_lookup' })]),
        exceptions: [own],
      },
    });
    const all = await exceptions(admin);
    expect(all).toEqual(
      expect.arrayContaining([own, hidden].map((one) => expect.objectContaining(one))),
    );
    expect(await found('_lookup')).toMatchObject({ revisionIds: [] });
    const plan = await admin.post(`${path}/bulkedits`, {
      selection: { revisionIds: [1] },
      edits: [{ field: 'BUYER', do: 'set', value: 'Nowhere' }],
    });
    expect(bulkEditOf(plan).findings).toMatchObject([{ check: '_lookup', brings: 1, removes: 0 }]);
    // They end each by itself, and together where a person who sees both makes another one.
    expect((await anna.delete(exception)).status).toBe(200);
    expect(await exceptions(admin)).toMatchObject([hidden]);
    await anna.put(exception, { reason: 'so it is' });
    await save(1, 'BUYER', 'Nowhere');
    expect(await exceptions(admin)).toMatchObject([hidden]);
    await except(1, '_lookup', { reason: 'both are new' });
    const both = { check: '_lookup', fields: ['SELLER', 'BUYER'], reason: 'both are new' };
    expect(await exceptions(admin)).toMatchObject([both]);
    expect(await exceptions(anna)).toEqual([]);
    const contradictions = await findings(t.database, t.config);
    expect(contradictions.filter((line) => line.includes('checks._lookup'))).toEqual([]);
    // Those about fields that the person sees are counted and answered.
    await save(2, 'BUYER', 'Nobody');
    await anna.put(`${path}/documents/2/exceptions/_lookup`, { reason: 'a new one' });
    expect((await anna.get(`${path}/documents/2`)).body).toMatchObject({
      meta: { exceptions: [{ check: '_lookup', fields: ['BUYER'] }] },
    });
    expect(await excepted(anna)).toBe(1);
  });

  it('name other records for duplicates alone, and only duplicates', async () => {
    await counted({ LONG: [3, 0], TWICE: [2, 0] });
    expect(await except(1, 'LONG', { reason: 'so it is', with: ['2'] })).toMatchObject({
      status: 422,
      body: { errors: { with: [expect.stringContaining('only for checks on duplicates')] } },
    });
    expect((await except(1, 'LONG', { reason: ' ' })).status).toBe(422);
    expect(await except(1, 'TWICE', { reason: 'two', with: ['1', '2', '3', '9'] })).toMatchObject({
      status: 422,
      body: { errors: { with: [expect.stringContaining('1, 3, 9')] } },
    });
    await counted({ LONG: [3, 0], TWICE: [2, 0] });
  });

  it('of a table are ended at the record, not by an undo', async () => {
    const table = await buildTable(t.database, [{ name: 'NO' }], undefined, {
      checks: [{ name: 'LONG', rule: 'length(NO) > 5' }],
    });
    await buildRecords(t.database, table, [['A 1']]);
    const record = `${datasetsPath(table)}/1`;
    expect((await admin.put(`${record}/exceptions/LONG`, { reason: 'so it is' })).status).toBe(200);
    const { history } = historyAnswer.parse((await admin.get(`${record}/history`)).body);
    const historyIds = history.slice(0, 1).map(({ historyId }) => historyId);
    expect(await admin.post(`${datasetsPath(table)}/undo`, { historyIds })).toMatchObject({
      status: 422,
      body: { errors: { 'datasets.0': [expect.stringContaining('end the exception')] } },
    });
    expect((await admin.get(record)).body).toHaveProperty('meta.exceptions');
  });

  it('stay when a deleted record is restored as it was', async () => {
    const fields = [{ name: 'NO' }];
    const checks = [
      { name: 'LONG', rule: 'length(NO) > 5' },
      { name: 'TWICE', duplicates: [['NO']] },
    ];
    const table = await buildTable(t.database, fields, undefined, { checks });
    await buildRecords(t.database, table, [['A 1'], ['A 1']]);
    const records = datasetsPath(table);
    const make = async (jrid: number, check: string, more = {}) => {
      const at = `${records}/${jrid}/exceptions/${check}`;
      expect((await admin.put(at, { reason: 'so it is', ...more })).status).toBe(200);
    };
    const newestOf = async (count: number) => {
      const { history } = historyAnswer.parse((await admin.get(`${records}/1/history`)).body);
      return history.slice(0, count).map(({ historyId }) => historyId);
    };
    const remove = async () =>
      expect((await admin.delete(records, { datasets: [{ jrid: 1 }] })).status).toBe(204);
    const undo = async (historyIds: readonly unknown[]) =>
      expect((await admin.post(`${records}/undo`, { historyIds })).status).toBe(200);
    const read = async (jrid: number) => (await admin.get(`${records}/${jrid}`)).body;
    const ofPair = (other: string) => ({ check: 'TWICE', with: [other] });

    await make(1, 'LONG');
    await make(1, 'TWICE', { with: ['2'] });
    await remove();
    expect(await read(2)).not.toHaveProperty('meta.exceptions');
    await undo(await newestOf(1));
    const both = expect.arrayContaining([
      expect.objectContaining({ check: 'LONG' }),
      expect.objectContaining(ofPair('2')),
    ]);
    expect(await read(1)).toMatchObject({ meta: { exceptions: both } });
    expect(await read(2)).toMatchObject({ meta: { exceptions: [ofPair('1')] } });

    // It is restored with an earlier value, of which nobody has said that it is right.
    const change = async (value: string) => {
      const datasets = [{ jrid: 1, NO: value }];
      expect((await admin.put(records, { datasets })).status).toBe(200);
    };
    await change('A 2');
    await change('A 1');
    await make(2, 'TWICE', { with: ['1'] });
    await remove();
    await undo(await newestOf(2));
    expect(await read(1)).not.toHaveProperty('meta.exceptions');
    expect(await read(2)).not.toHaveProperty('meta.exceptions');
  });

  it('end with a rule that says something else, not with one that is written otherwise', async () => {
    const administration = new ArchiveAdministration(admin, path.split('/').at(-1) ?? '');
    const { indexFields } = await administration.get();
    const rules = async (rule: string, duplicates: string[][], ignore: string[] = []) => {
      const checks = [
        { name: 'LONG', rule },
        { name: 'TWICE', duplicates, ignore },
      ];
      expect((await administration.put(indexFields, { checks })).status).toBe(200);
    };
    const exceptions = async () => {
      const { body } = await admin.get(`${path}/documents/1`);
      const { meta } = revisionDetailAnswer.parse(body);
      return meta?.exceptions?.map(({ check }) => check).toSorted() ?? [];
    };
    await rules('length(NO) > 5 and not empty(NO)', [['NO', 'SELLER'], ['NO']], ['case', 'spaces']);
    expect((await except(1, 'TWICE', { reason: 'two', with: ['2'] })).status).toBe(200);
    expect((await except(1, 'LONG', { reason: 'so it is' })).status).toBe(200);
    const spelled = [['no', 'Seller'], ['NO']];
    await rules('(LENGTH( no )>5)\n  AND Not Empty("NO")', spelled, ['spaces', 'case']);
    expect(await exceptions()).toEqual(['LONG', 'TWICE']);
    // In the history a person from whom the field is hidden does not see them, not even when the check is gone.
    expect((await except(1, '_lookup', { reason: 'a new one' })).status).toBe(200);
    await buildUser(t.database, { username: 'eve' });
    const hidden = { right: 'read', fields: { NO: 'hidden', SELLER: 'hidden' } };
    const rights = { archives: { [administration.table]: hidden } };
    await admin.patch('configuration/users/eve', { user: { rights } });
    const eve = await t.signedIn('eve');
    const reasons = async () => (await eve.get(`${path}/documents/1/history`)).text;
    expect(await reasons()).not.toMatch(/reason|exceptions/);
    await rules('length(NO) > 6 and not empty(NO)', spelled, ['case']);
    expect(await exceptions()).toEqual(['_lookup']);
    await administration.put(indexFields, { checks: [] });
    expect(await reasons()).not.toMatch(/reason/);
    // Nor when another check has its name, of which exceptions are seen.
    const checks = [{ name: 'LONG', rule: 'length(BUYER) > 9' }];
    await administration.put(indexFields, { checks });
    expect((await except(1, 'LONG', { reason: 'another one' })).status).toBe(200);
    expect((await reasons()).match(/"reason":"[^"]*"/g)).toEqual(['"reason":"another one"']);
    expect((await admin.get(`${path}/documents/1/history`)).text).not.toMatch(/"fields"/);
  });

  it('end with a change of a field that was converted since', async () => {
    const amounts = ['NET', 'VAT', 'TOTAL'].map((name) => ({ name, type: 'integer' }));
    const checks = [{ name: 'SUM', rule: 'NET + VAT = TOTAL' }];
    const archive = await buildArchive(t.database, amounts, [], { checks });
    await buildRecords(t.database, archive, [[100, 19, 120]]);
    path = archivePath(archive);
    expect((await except(1, 'SUM', { reason: 'rounded' })).status).toBe(200);
    const [, ...others] = amounts;
    const converted = [{ name: 'NET', type: 'decimal' }, ...others];
    const administration = new ArchiveAdministration(admin, archive.name);
    expect((await administration.put(converted, { checks })).status).toBe(200);
    expect(await found('SUM')).toMatchObject({ revisionIds: [] });
    expect((await save(1, 'NET', '5')).body).not.toHaveProperty('meta.exceptions');
    expect(await found('SUM')).toMatchObject({ revisionIds: ['1'] });
  });

  it('are taken over by a new revision, also those of pairs', async () => {
    expect((await except(1, 'TWICE', { reason: 'two', with: ['2'] })).status).toBe(200);
    expect((await except(1, 'LONG', { reason: 'so it is' })).status).toBe(200);
    await counted({ LONG: [2, 1], TWICE: [0, 2] });
    const form = formOf([
      ['indexFields[0][name]', 'SELLER'],
      ['indexFields[0][value]', 'Acme'],
    ]);
    const added = await admin.post(`${path}/documents/1`, form.body, { headers: form.headers });
    const [revision] = revisionsAnswer.parse(added.body).archivedocumentrevisions;
    expect((await admin.get(`${path}/documents/${revision?.revisionId}`)).body).toMatchObject({
      meta: { exceptions: [{ check: 'LONG' }, { check: 'TWICE', with: ['2'] }] },
    });
    await counted({ LONG: [2, 1], TWICE: [0, 2] });
  });
});
