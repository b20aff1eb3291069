/** @module-tag slow */
import { beforeEach, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { datasetListAnswer, indexAnswer } from '#shared/contract/answers.ts';
import { checksAnswer, duplicateGroupsAnswer } from '#shared/contract/check-answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildRecords, buildTable } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';

describeOnOneDatabase('checks of an archive', (open) => {
  let t: TestApp;
  let admin: TestClient;
  let archive: ArchiveAdministration;
  const FIELDS = [
    { name: 'NO', type: 'text' },
    { name: 'NET', type: 'decimal' },
    { name: 'TOTAL', type: 'decimal' },
    { name: 'DUE', type: 'date' },
    { name: 'SUPPLIER', type: 'text' },
  ];
  const CHECKS = [
    { name: 'SUM', label: 'The total is wrong', rule: 'NET * 2 = TOTAL' },
    { name: 'DUE', rule: 'DUE >= 2026-01-01', severity: 'block', label: 'Due too early' },
    { name: 'KNOWN', rule: 'SUPPLIER in SUPPLIERS.NAME' },
    { name: 'TWICE', duplicates: [['NO', 'SUPPLIER']], ignore: ['case', 'spaces'] },
  ];
  beforeEach(async () => {
    t = await openApp(open);
    const built = await buildArchive(t.database, FIELDS);
    const suppliers = await buildTable(t.database, [{ name: 'NAME', type: 'text' }], 'SUPPLIERS');
    await buildRecords(t.database, suppliers, [['Acme'], ['Bolt']]);
    await buildRecords(t.database, built, [
      ['A 1', 1.1, 2.2, '2026-05-01', 'Acme'],
      ['a1', 1.1, 2.3, '2025-05-01', 'Acme'],
      ['A2', null, 2.3, null, 'Nobody'],
    ]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    admin = await t.signedIn('admin');
    archive = new ArchiveAdministration(admin, built.name);
    await archive.put(FIELDS, { checks: CHECKS });
  });
  const ids = async (query: string) => {
    const { body } = await admin.get(`${archive.records}/index/ids?${query}`);
    return z.object({ revisionIds: z.array(z.string()) }).parse(body).revisionIds;
  };
  const counts = async () => {
    const { checks } = checksAnswer.parse((await admin.get(`${archive.records}/checks`)).body);
    return Object.fromEntries(checks.map(({ name, count }) => [name, count]));
  };
  const counted = (expected: Record<string, number>) =>
    vi.waitFor(async () => expect(await counts()).toMatchObject(expected));
  const save = (id: number, name: string, value: unknown) =>
    admin.patch(`${archive.records}/documents/${id}/indexdata`, { indexFields: [{ name, value }] });
  const read = (id: number) => admin.get(`${archive.records}/documents/${id}`);
  const except = (id: number, check: string, body: unknown) =>
    admin.put(`${archive.records}/documents/${id}/exceptions/${check}`, body);

  it('find records at once, and are counted', async () => {
    expect(await ids('where[check][eq]=SUM')).toEqual(['2']);
    expect(await ids('where[check][in]=sum,known')).toEqual(['2', '3']);
    expect(await admin.get(`${archive.records}/index/ids?where[check][eq]=NONE`)).toMatchObject({
      status: 400,
    });
    await counted({ SUM: 1, DUE: 1, KNOWN: 1, TWICE: 2, _required: 0, _rules: 0, _lookup: 0 });
    expect(await ids('where[check][eq]=TWICE')).toEqual(['1', '2']);
    expect(await ids('where[meta.check][null]=true')).toEqual([]);
    expect((await read(2)).body).toMatchObject({
      meta: {
        findings: [
          { check: 'SUM', label: 'The total is wrong', severity: 'warn', fields: ['NET', 'TOTAL'] },
          { check: 'DUE', severity: 'block', fields: ['DUE'] },
          { check: 'TWICE', fields: ['NO', 'SUPPLIER'] },
        ],
      },
    });
    expect((await save(2, 'TOTAL', 2.2)).body).toMatchObject({
      meta: { findings: [{ check: 'DUE' }, { check: 'TWICE' }] },
    });
    expect(await ids('where[check][eq]=SUM')).toEqual([]);
    expect((await save(3, 'NO', ' A1')).status).toBe(200);
    expect((await save(3, 'SUPPLIER', 'Acme')).status).toBe(200);
    await counted({ SUM: 0, KNOWN: 0, TWICE: 3 });
    expect((await save(1, 'NO', 'B')).status).toBe(200);
    await counted({ TWICE: 2 });
  });

  it('block saves that touch one of their fields', async () => {
    expect(await save(1, 'DUE', '2025-12-31')).toMatchObject({
      status: 422,
      body: { errors: { 'indexFields.DUE': ['Due too early.'] } },
    });
    expect((await save(2, 'NET', 5)).status).toBe(200);
    const batch = await admin.patch(`${archive.records}/indexdata`, {
      revisions: [1, 2].map((revisionId) => ({
        revisionId,
        indexFields: [{ name: 'DUE', value: '2024-01-01' }],
      })),
    });
    expect(batch).toMatchObject({
      status: 422,
      body: { errors: { 'revisions.1.indexFields.DUE': ['Due too early.'] } },
    });
  });

  it('leave out records that are right as they are, until their fields or the rule change', async () => {
    await counted({ SUM: 1, TWICE: 2 });
    expect(await except(1, 'SUM', { reason: 'none' })).toMatchObject({ status: 422 });
    const put = await except(2, 'SUM', { reason: 'as on the page' });
    expect(put).toMatchObject({ status: 200, headers: { etag: '"2"' } });
    const exception = { check: 'SUM', label: 'The total is wrong', reason: 'as on the page' };
    const meta = {
      findings: [{ check: 'DUE' }, { check: 'TWICE' }],
      exceptions: [{ ...exception, by: 'admin', fields: ['NET', 'TOTAL'] }],
    };
    expect(put.body).toMatchObject({ meta });
    expect((await read(2)).body).toMatchObject({ meta });
    expect((await read(1)).body).not.toMatchObject({ meta: { exceptions: [] } });
    expect(await ids('where[check][eq]=SUM')).toEqual([]);
    await counted({ SUM: 0 });
    expect((await admin.get(`${archive.records}/documents/2/history`)).body).toMatchObject({
      history: [
        { user: 'admin', changes: [{ name: 'checks.SUM', after: { reason: 'as on the page' } }] },
      ],
    });
    expect((await save(2, 'NO', 'A3')).status).toBe(200);
    expect(await ids('where[check][eq]=SUM')).toEqual([]);
    expect((await save(2, 'NET', 1.2)).body).not.toHaveProperty('meta.exceptions');
    expect(await ids('where[check][eq]=SUM')).toEqual(['2']);
    await except(2, 'SUM', { reason: 'again' });
    const changed = CHECKS.map((check) =>
      check.name === 'SUM' ? { ...check, rule: 'NET + NET = TOTAL' } : check,
    );
    expect((await archive.put(FIELDS, { checks: changed })).status).toBe(200);
    expect(await ids('where[check][eq]=SUM')).toEqual(['2']);
    await save(2, 'NO', 'A1');
    await counted({ SUM: 1, TWICE: 2 });
    expect((await except(1, 'TWICE', { reason: 'two orders', with: ['2'] })).status).toBe(200);
    await counted({ TWICE: 0 });
    const path = `${archive.records}/documents/1/exceptions/TWICE`;
    expect((await admin.delete(path)).status).toBe(200);
    await counted({ TWICE: 2 });
    expect((await admin.delete(path)).headers['etag']).toBe((await read(1)).headers['etag']);
  });

  it('have the counts of their lists after many writes', async () => {
    const values = {
      NO: ['A1', 'a 1', 'B', null],
      NET: [1.1, 2, null],
      TOTAL: [2.2, 4, 5],
      DUE: ['2026-02-01', null],
      SUPPLIER: ['Acme', 'Bolt', 'Nobody', null],
    };
    const names = Object.keys(values);
    for (let step = 0; step < 40; step++) {
      const place = step % names.length;
      const of = Object.values(values)[place] ?? [];
      await save((step % 3) + 1, names[place] ?? '', of[(step * 7) % of.length] ?? null);
    }
    await admin.delete(`${archive.records}/documents/3`);
    await vi.waitFor(async () => {
      const listed: Record<string, number> = {};
      for (const { name } of CHECKS) {
        listed[name] = (await ids(`where[check][eq]=${name}`)).length;
      }
      const { checks } = checksAnswer.parse((await admin.get(`${archive.records}/checks`)).body);
      const own = checks.filter(({ name }) => name in listed);
      expect(Object.fromEntries(own.map(({ name, count }) => [name, count]))).toEqual(listed);
    });
  });

  it('are in the answers of lists where a call asks for them, as the caller may see them', async () => {
    await counted({ TWICE: 2 });
    const twice = { check: 'TWICE', label: 'TWICE', severity: 'warn', fields: ['NO', 'SUPPLIER'] };
    const known = { check: 'KNOWN', label: 'KNOWN', severity: 'warn', fields: ['SUPPLIER'] };
    const sum = {
      check: 'SUM',
      label: 'The total is wrong',
      severity: 'warn',
      fields: ['NET', 'TOTAL'],
    };
    const due = { check: 'DUE', label: 'Due too early', severity: 'block', fields: ['DUE'] };
    const found = { 1: [twice], 2: [sum, due, twice], 3: [known] };
    for (const list of ['index', 'documents']) {
      expect(await admin.get(`${archive.records}/${list}?findings=true`)).toMatchObject({
        status: 200,
        body: { meta: { findings: found } },
      });
    }
    const page = (await admin.get(`${archive.records}/index?findings=true&limit=1&offset=2`)).body;
    expect(indexAnswer.parse(page).meta.findings).toEqual({ 3: [known] });
    const without = (await admin.get(`${archive.records}/index`)).body;
    expect(indexAnswer.parse(without).meta).not.toHaveProperty('findings');
    for (const query of [
      'index?findings=1',
      'index/ids?findings=true',
      'index/count?findings=true',
    ])
      expect(await admin.get(`${archive.records}/${query}`)).toMatchObject({
        status: 400,
        body: { errors: { findings: [expect.any(String)] } },
      });
    await buildUser(t.database, { username: 'bea', rights: [] });
    const hidden = { right: 'read', fields: { TOTAL: 'hidden' } };
    const rights = { archives: { [archive.table]: hidden }, tables: {} };
    await admin.patch('configuration/users/bea', { user: { rights } });
    const seen = (await (await t.signedIn('bea')).get(`${archive.records}/index?findings=true`))
      .body;
    expect(indexAnswer.parse(seen).meta.findings?.['2']).toEqual([due, twice]);
    const table = await buildTable(t.database, [{ name: 'NAME', type: 'text', required: true }]);
    await buildRecords(t.database, table, [['a'], [null]]);
    const { body } = await admin.get(
      `application/dataapp/tables/${table.guid}/datasets?findings=true`,
    );
    expect(datasetListAnswer.parse(body).meta.findings).toMatchObject({
      1: [],
      2: [{ check: '_required', severity: 'warn', fields: ['NAME'] }],
    });
  });

  it('group the records that are duplicates of each other', async () => {
    const lists = [
      ['NO', 'SUPPLIER'],
      ['TOTAL', 'SUPPLIER'],
    ];
    const checks = CHECKS.map((check) =>
      check.name === 'TWICE' ? { ...check, duplicates: lists } : check,
    );
    await archive.put(FIELDS, { checks });
    await save(2, 'TOTAL', 2.2);
    await save(3, 'SUPPLIER', 'Acme');
    await save(3, 'TOTAL', 2.2);
    await counted({ TWICE: 3 });
    const groups = async (query = '') => {
      const { body } = await admin.get(`${archive.records}/checks/TWICE/groups?${query}`);
      return duplicateGroupsAnswer.parse(body);
    };
    const byNumber = { group: '1.0', fields: lists[0], ids: ['1', '2'], count: 2 };
    const byTotal = { group: '1.1', fields: lists[1], ids: ['1', '2', '3'], count: 3 };
    expect((await groups()).groups).toEqual([byNumber, byTotal]);
    const page = await groups('limit=1');
    expect(page).toEqual({
      groups: [byNumber],
      meta: { asOf: expect.any(String), pagination: { limit: 1, next: '1.0' } },
    });
    expect(await groups('limit=1&after=1.0')).toEqual({
      groups: [byTotal],
      meta: { asOf: expect.any(String), pagination: { limit: 1, next: null } },
    });
    expect((await groups('record=3')).groups).toEqual([byTotal]);
    expect(await admin.get(`${archive.records}/checks/TWICE/groups?after=x&of=1`)).toMatchObject({
      status: 400,
      body: { errors: { after: [expect.any(String)], of: [expect.any(String)] } },
    });
    expect((await admin.get(`${archive.records}/checks/SUM/groups`)).status).toBe(404);
    // What the first list finds is not found by the second one again; a pair that is excepted is no group.
    await save(3, 'TOTAL', 1);
    await counted({ TWICE: 2 });
    expect((await groups()).groups).toEqual([byNumber]);
    await except(1, 'TWICE', { reason: 'two orders', with: ['2'] });
    await counted({ TWICE: 0 });
    expect((await groups()).groups).toEqual([]);
    // Another pair leaves those before in place.
    await save(3, 'TOTAL', 2.2);
    await counted({ TWICE: 3 });
    await except(3, 'TWICE', { reason: 'another order', with: ['1'] });
    await counted({ TWICE: 2 });
    await except(2, 'TWICE', { reason: 'another order', with: ['3'] });
    await counted({ TWICE: 0 });
    // A check that names a hidden field does not exist.
    await buildUser(t.database, { username: 'anna', rights: [] });
    const hidden = { right: 'read', fields: { TOTAL: 'hidden' } };
    const rights = { archives: { [archive.table]: hidden }, tables: {} };
    await admin.patch('configuration/users/anna', { user: { rights } });
    const anna = await t.signedIn('anna');
    expect((await anna.get(`${archive.records}/checks/TWICE/groups`)).status).toBe(404);
  });

  it('can be tried before they are saved', async () => {
    const path = `${archive.records}/checks/try`;
    expect((await admin.post(path, { rule: 'NET < 1' })).body).toEqual({
      count: 2,
      examples: [
        { id: '1', fields: { NET: 1.1 } },
        { id: '2', fields: { NET: 1.1 } },
      ],
    });
    expect(await admin.post(path, { rule: 'NET <' })).toMatchObject({
      status: 422,
      body: { errors: { rule: [expect.stringMatching(/^Line 1, column 6/)] } },
    });
    expect(await admin.post(path, { rule: '', when: 'NOTHING = 1' })).toMatchObject({
      status: 422,
      body: {
        errors: {
          rule: [expect.stringMatching(/^Line 1, column 1: expected a field/)],
          when: [expect.stringMatching(/^Line 1, column 1: expected a field/)],
        },
      },
    });
  });

  it('do not exist for a person from whom a field is hidden that they only mark', async () => {
    const marking = { name: 'MARK', rule: "NO = 'Z'", severity: 'block', fields: ['TOTAL'] };
    await archive.put(FIELDS, { checks: [marking] });
    await buildUser(t.database, { username: 'eve', rights: [] });
    const hidden = { right: 'write', fields: { TOTAL: 'hidden' } };
    const rights = { archives: { [archive.table]: hidden }, tables: {} };
    await admin.patch('configuration/users/eve', { user: { rights } });
    const eve = await t.signedIn('eve');
    const { checks } = checksAnswer.parse((await eve.get(`${archive.records}/checks`)).body);
    expect(checks.map(({ name }) => name)).not.toContain('MARK');
    const list =
      'where[check][eq]=mark&where[check][eq][1]=MARK&colour[check][eq]=red:MARK&or[A][check][in]=MARK,_rules&or[A][NO][eq]=MARK&sort=NO';
    await admin.post(`${archive.records}/views`, { name: 'V', shared: true, search: list });
    expect((await eve.get(`${archive.records}/views`)).body).toMatchObject({
      views: [{ search: 'or%5BA%5D%5Bcheck%5D%5Bin%5D=_rules&or[A][NO][eq]=MARK&sort=NO' }],
    });
    const indexFields = [{ name: 'NO', value: 'B' }];
    expect(
      await eve.patch(`${archive.records}/documents/1/indexdata`, { indexFields }),
    ).toMatchObject({ status: 200, body: { meta: { findings: [] } } });
    expect(await save(1, 'NO', 'C')).toMatchObject({
      status: 422,
      body: { errors: { 'indexFields.TOTAL': ['MARK.'] } },
    });
  });

  it('block numbers that a column of whole numbers does not have', async () => {
    const orders = await buildTable(t.database, [{ name: 'NO', type: 'integer' }], 'ORDERS');
    await buildRecords(t.database, orders, [[1], [2]]);
    const checks = [{ name: 'KNOWN', rule: 'NET in ORDERS.NO', severity: 'block' }];
    expect((await archive.put(FIELDS, { checks })).status).toBe(200);
    expect((await save(1, 'NET', 2)).status).toBe(200);
    for (const number of [1.5, 3]) {
      expect(await save(1, 'NET', number)).toMatchObject({
        status: 422,
        body: { errors: { 'indexFields.NET': ['KNOWN.'] } },
      });
    }
  });
});
