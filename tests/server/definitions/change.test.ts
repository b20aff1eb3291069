/** @module-tag slow */
import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { requestedDefinitions } from '#shared/contract/configuration-bodies.ts';
import { definedTablesAnswer } from '#shared/contract/configuration-definitions.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { BUILDER, buildArchive, buildRecords, buildTable } from '#tests/support/builders.ts';
import { previewChange } from '#server/modules/definition-changes/change.service.ts';
import { refreshSearchTexts } from '#server/database/records/search-texts.ts';
import { describeOnOneDatabase, testDatabases } from '#tests/support/databases.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';

const NO = { name: 'NO', type: 'text' };
const CITY = { name: 'CITY', type: 'text' };
const TOTAL = { name: 'TOTAL', type: 'text' };

describeOnOneDatabase('a definition that is changed', (open) => {
  let t: TestApp;
  let admin: TestClient;
  let archive: ArchiveAdministration;
  beforeEach(async () => {
    t = await openApp(open);
    const built = await buildArchive(t.database, [NO, CITY, TOTAL], ['SUBJECT']);
    await buildRecords(t.database, built, [
      ['A-1', 'Bonn', '1.234,50'],
      ['A-22', 'Ulm', '7'],
      ['A-333', null, 'free'],
    ]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    admin = await t.signedIn('admin');
    archive = new ArchiveAdministration(admin, built.name);
  });
  const list = async (query: string) => admin.get(`${archive.records}/index/ids?${query}`);

  it('gets no field by a name that lists reserve, neither new nor renamed', async () => {
    for (const field of [
      { ...CITY, name: 'Check' },
      { ...CITY, name: 'Check', renamedFrom: 'CITY' },
    ]) {
      expect(await archive.put([NO, field, TOTAL])).toMatchObject({
        status: 422,
        body: { errors: { 'indexFields.Check': [expect.stringContaining('reserved')] } },
      });
    }
  });

  it('gets and loses fields, whose values come back with them', async () => {
    const answer = await archive.put([
      NO,
      { ...CITY, label: 'City' },
      { name: 'DUE', type: 'date' },
    ]);
    expect(answer).toMatchObject({
      status: 200,
      headers: { etag: '"2"' },
      body: {
        archives: [
          {
            version: 2,
            indexFields: [
              { name: 'NO', retiredAt: null },
              { name: 'CITY', label: 'City' },
              { name: 'DUE', type: 'date' },
              { name: 'TOTAL', retiredAt: expect.any(String) },
            ],
          },
        ],
      },
    });
    expect(await archive.values(1)).toEqual({ NO: 'A-1', CITY: 'Bonn', DUE: null });
    expect(await list('where[TOTAL][eq]=7')).toMatchObject({ status: 400 });
    expect((await list('q=free')).body).toMatchObject({ revisionIds: [] });
    expect((await list('q=ulm')).body).toMatchObject({ revisionIds: ['2'] });
    const saved = await admin.patch(`${archive.records}/documents/1/indexdata`, {
      indexFields: [{ name: 'DUE', value: '2026-12-24' }],
    });
    expect(saved.status).toBe(200);
    const unknown = await admin.patch(`${archive.records}/documents/1/indexdata`, {
      indexFields: [{ name: 'TOTAL', value: '1' }],
    });
    expect(unknown.status).toBe(422);

    expect((await archive.put([TOTAL, NO, CITY, { name: 'DUE', type: 'date' }])).status).toBe(200);
    expect(await archive.values(1)).toEqual({
      TOTAL: '1.234,50',
      NO: 'A-1',
      CITY: 'Bonn',
      DUE: '2026-12-24',
    });
    expect((await list('q=free')).body).toMatchObject({ revisionIds: ['3'] });
  });

  it('says of a retired field after which one it stood', async () => {
    const places = async () =>
      (await archive.get()).indexFields.map(({ name, stoodAfter }) => [name, stoodAfter]);
    expect((await archive.put([NO, TOTAL])).status).toBe(200);
    expect((await archive.put([{ ...NO, name: 'NUMBER', renamedFrom: 'NO' }])).status).toBe(200);
    // CITY was retired between the two.
    expect(await places()).toEqual([
      ['NUMBER', undefined],
      ['CITY', 'NUMBER'],
      ['TOTAL', 'CITY'],
    ]);
    const [number, city, total] = (await archive.get()).indexFields;
    const restored = { ...city, retiredAt: null };
    expect((await archive.put([restored, { ...number }, { ...total }])).status).toBe(200);
    expect(await places()).toEqual([
      ['CITY', undefined],
      ['NUMBER', undefined],
      ['TOTAL', 'CITY'],
    ]);
    expect((await archive.put([{ ...NO, name: 'NUMBER' }])).status).toBe(200);
    expect(await places()).toContainEqual(['CITY', null]);
  });

  it('says how forms and lists show a field, which touches no value', async () => {
    const shown = { group: 'Money', width: 'half', hiddenInLists: true, listSort: 'descending' };
    const fields = [NO, CITY, { ...TOTAL, ...shown }];
    expect(await archive.plan(fields)).toEqual({
      safe: true,
      changes: [
        {
          kind: 'describe',
          field: 'TOTAL',
          properties: Object.keys(shown),
          affected: 0,
          misfits: 0,
          examples: [],
        },
      ],
    });
    expect((await archive.put(fields)).status).toBe(200);
    const detail = await admin.get(`application/users/admin/archives/${archive.table}`);
    const exported = await admin.get(`${archive.path}/export`);
    for (const { text } of [detail, exported]) {
      expect(text).toContain(JSON.stringify(shown).slice(1, -1));
    }
    const usual = { width: 'full', hiddenInLists: false, listSort: null };
    expect((await archive.put([NO, CITY, { ...TOTAL, ...usual }])).status).toBe(200);
    expect((await admin.get(`${archive.path}/export`)).text).not.toContain('hiddenInLists');
    expect((await archive.put([NO, CITY, { ...TOTAL, width: 'wide' }])).status).toBe(422);
  });

  it('names all revisions that have to be corrected before', async () => {
    const { indexFields: _, ...definition } = await archive.get();
    const wanted = [{ ...NO, maxLength: 4 }, { ...CITY, required: true }, TOTAL];
    const answer = await admin.post(`${archive.path}/misfits`, {
      archive: { ...definition, indexFields: wanted },
    });
    expect([answer.status, answer.body]).toEqual([200, { revisionIds: ['3'] }]);
    const shorter = [{ ...NO, maxLength: 3 }, CITY, TOTAL];
    const more = await admin.post(`${archive.path}/misfits`, {
      archive: { ...definition, indexFields: shorter },
    });
    expect(more.body).toEqual({ revisionIds: ['2', '3'] });
    expect((await archive.get()).version).toBe(1);
    expect((await admin.post('configuration/archives/NONE/misfits', {})).status).toBe(404);
  });

  it('names all records of a table that have to be corrected before', async () => {
    const [CODE, SIZE] = [
      { name: 'CODE', type: 'text' },
      { name: 'SIZE', type: 'text' },
    ];
    const created = await admin.post('configuration/tables', {
      table: { name: 'PARTS', label: 'Parts', columns: [CODE, SIZE] },
    });
    const [table] = definedTablesAnswer.parse(created.body).tables;
    const datasets = [
      { CODE: 'A', SIZE: '1' },
      { CODE: 'AB', SIZE: 'large' },
      { CODE: 'ABC', SIZE: '3' },
    ];
    await admin.post(`application/dataapp/tables/${table?.guid}/datasets`, { datasets });
    const misfits = (columns: readonly object[], guid = table?.guid) =>
      admin.post(`configuration/tables/${guid}/misfits`, { table: { ...table, columns } });
    expect(await misfits([{ ...CODE, maxLength: 2 }, SIZE])).toMatchObject({
      status: 200,
      body: { jrids: ['3'] },
    });
    const both = [
      { ...CODE, maxLength: 2 },
      { ...SIZE, type: 'integer' },
    ];
    expect((await misfits(both)).body).toEqual({ jrids: ['2', '3'] });
    expect((await misfits([CODE, SIZE], randomUUID())).status).toBe(404);
  });

  it('says what names a field', async () => {
    const view = { name: 'Towns', shared: true, search: 'columns=CITY&sort=-CITY' };
    expect((await admin.post(`${archive.records}/views`, view)).status).toBe(201);
    const queue = { name: 'Bonn', filter: 'where[CITY][eq]=Bonn' };
    expect((await admin.post(`${archive.records}/queues`, queue)).status).toBe(201);
    const rights = {
      archives: { [archive.table]: { right: 'read', fields: { CITY: 'hidden' } } },
    };
    const group = { name: 'READERS', rights };
    expect((await admin.post('configuration/groups', { group })).status).toBe(201);
    const usesOf = async (name: string) =>
      (await admin.get(`${archive.path}/fields/${name}/uses`)).body;
    expect(await usesOf('city')).toEqual({
      uses: [
        { kind: 'view', name: 'Towns', of: 'admin' },
        { kind: 'queue', name: 'Bonn', of: 'admin' },
        { kind: 'group', name: 'READERS', of: null },
      ],
    });
    expect(await usesOf('NO')).toEqual({ uses: [] });
    expect(await admin.get(`${archive.path}/fields/NOPE/uses`)).toMatchObject({
      status: 404,
      body: { code: 'not_found', errors: { '-': ['There is no field NOPE.'] } },
    });
    expect((await admin.get('configuration/system/collections')).body).toEqual({
      collections: [{ archive: archive.table, fileBytes: 0, changedAt: null }],
    });
    // Neither the keys of checks nor their texts name a field.
    const towns = await buildTable(t.database, [{ name: 'label' }, { name: 'name' }], 'TOWNS');
    const checks = [
      { name: 'KNOWN', label: 'The city NO one knows', rule: 'CITY in TOWNS.name' },
      { name: 'SAME', duplicates: [['no', 'TOTAL']] },
    ];
    expect((await archive.put([NO, CITY, TOTAL], { checks })).status).toBe(200);
    expect(await usesOf('NO')).toEqual({ uses: [{ kind: 'check', name: 'SAME', of: null }] });
    const usesOfColumn = async (name: string) =>
      (await admin.get(`configuration/tables/${towns.guid}/columns/${name}/uses`)).body;
    expect(await usesOfColumn('NAME')).toEqual({
      uses: [{ kind: 'check', name: 'KNOWN', of: archive.table }],
    });
    expect(await usesOfColumn('label')).toEqual({ uses: [] });
    const tagged = { name: 'Tagged', shared: true, search: 'where[keyword.SUBJECT][eq]=a' };
    expect((await admin.post(`${archive.records}/views`, tagged)).status).toBe(201);
    for (const name of ['SUBJECT', 'keyword.subject']) {
      expect(await usesOf(name)).toEqual({ uses: [{ kind: 'view', name: 'Tagged', of: 'admin' }] });
    }
  });

  it('renames fields at once, also two that swap their names', async () => {
    await admin.patch(`${archive.records}/documents/1/indexdata`, {
      indexFields: [{ name: 'CITY', value: 'Köln' }],
    });
    const swapped = [{ ...NO, renamedFrom: 'CITY' }, { ...CITY, renamedFrom: 'NO' }, TOTAL];
    const plan = await archive.plan(swapped);
    expect(plan.safe).toBe(true);
    expect(plan.changes.filter(({ kind }) => kind !== 'describe')).toMatchObject([
      { kind: 'rename', field: 'NO', properties: ['name'], affected: 2 },
      { kind: 'rename', field: 'CITY', affected: 3 },
      { kind: 'reorder' },
    ]);
    expect((await archive.put(swapped)).status).toBe(200);
    expect(await archive.values(1)).toEqual({ NO: 'Köln', CITY: 'A-1', TOTAL: '1.234,50' });
    expect((await list('where[CITY][eq]=A-22')).body).toMatchObject({ revisionIds: ['2'] });
    expect(await archive.history(1)).toMatchObject({
      history: [{ changes: [{ name: 'NO', before: 'Bonn', after: 'Köln' }] }],
    });
    await admin.patch(`${archive.records}/documents/1/indexdata`, {
      indexFields: [{ name: 'NO', value: 'Berlin' }],
    });
    expect(await archive.history(1)).toMatchObject({
      history: [
        { changes: [{ name: 'NO', before: 'Köln', after: 'Berlin' }] },
        { changes: [{ name: 'NO', before: 'Bonn', after: 'Köln' }] },
      ],
    });
  });

  it('renames fields in the queries of views and queues and in the focus of these, also with `?` and next to an operator of their name', async () => {
    const LIKE = { name: 'LIKE', type: 'text' } as const;
    const built = await buildArchive(t.database, [CITY, LIKE]);
    const towns = new ArchiveAdministration(admin, built.name);
    const search = '?sort=-CITY&where[LIKE][like]=a&or[like][CITY][eq]=Bonn&colour[CITY][eq]=red:a';
    await admin.post(`${towns.records}/views`, { name: 'A', shared: true, search });
    await buildRecords(t.database, built, [['Bonn', null]]);
    const filter = '?where[CITY][like]=b';
    const field = 'indexFields.CITY';
    expect((await admin.post(`${towns.records}/queues`, { filter, field })).status).toBe(201);
    const renamed = [
      { ...CITY, name: 'PLACE', renamedFrom: 'CITY' },
      { ...LIKE, name: 'NOTE', renamedFrom: 'LIKE' },
    ];
    expect((await towns.put(renamed)).status).toBe(200);
    const { views } = Object((await admin.get(`${towns.records}/views`)).body);
    expect(decodeURIComponent(views[0].search)).toBe(
      '?sort=-PLACE&where[NOTE][like]=a&or[like][PLACE][eq]=Bonn&colour[PLACE][eq]=red:a',
    );
    const { queues } = Object((await admin.get(`${towns.records}/queues`)).body);
    expect(decodeURIComponent(queues[0].filter)).toBe('?where[PLACE][like]=b');
    expect(queues[0].field).toBe('indexFields.PLACE');
  });

  it('lets a name that was left be used again, but not that of a retired field', async () => {
    const fields = [NO, { name: 'PLACE', type: 'text', renamedFrom: 'CITY' }, TOTAL, CITY];
    expect((await archive.put(fields)).status).toBe(200);
    expect(await archive.values(1)).toMatchObject({ PLACE: 'Bonn', CITY: null });
    await archive.put([NO, { name: 'PLACE', type: 'text' }, TOTAL]);
    const taken = await archive.put([NO, { ...CITY, renamedFrom: 'PLACE' }, TOTAL]);
    expect(taken).toMatchObject({ status: 409, body: { code: 'conflict' } });
    const unknown = await archive.put([NO, { ...CITY, renamedFrom: 'NOWHERE' }, TOTAL]);
    expect(unknown).toMatchObject({
      status: 422,
      body: {
        details: [
          { path: 'indexFields.CITY', code: 'definitions.nothingToRename' },
          { path: 'indexFields.CITY', code: 'definitions.nameOfRetired' },
        ],
      },
    });
  });

  it('gets no option twice, but keeps those that it has', async () => {
    const twice = { name: 'KIND', type: 'text', options: ['a', 'a', 'b'] };
    const built = await buildArchive(t.database, [twice]);
    const kinds = new ArchiveAdministration(admin, built.name);
    expect(await kinds.put([{ ...twice, label: 'Kind' }])).toMatchObject({ status: 200 });
    expect(await kinds.put([{ ...twice, options: ['a', 'b', 'b', 'b'] }])).toMatchObject({
      status: 422,
      body: { errors: { 'indexFields.KIND.options': ['The option b occurs more than once.'] } },
    });
    expect(await kinds.put([{ ...twice, options: ['a', 'b'] }])).toMatchObject({ status: 200 });
  });

  it('does not exist where it was purged after it was found', async () => {
    const [wanted] = requestedDefinitions.parse({
      archives: [{ table: 'GONE', name: 'Gone', indexFields: [NO] }],
    });
    if (!wanted) throw new Error('Nothing is wanted.');
    const change = { ...wanted, id: 999, keepsMisfits: false, actor: BUILDER, ifMatch: null };
    await expect(previewChange(t.database, change)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is refused without the tag of the definition, and with an old one', async () => {
    const { documents: _, ...definition } = await archive.get();
    const body = { archive: { ...definition, name: 'Other' } };
    expect(await admin.put(archive.path, body)).toMatchObject({
      status: 428,
      body: { code: 'precondition_required' },
    });
    const stale = await admin.put(archive.path, body, { headers: { 'if-match': '"7"' } });
    expect(stale).toMatchObject({
      status: 412,
      body: { code: 'changed_meanwhile', current: { version: 1 } },
    });
    const preview = `${archive.path}?dryRun=true`;
    const stalePreview = await admin.put(preview, body, { headers: { 'if-match': '"7"' } });
    expect(stalePreview.status).toBe(412);
    expect((await admin.put(preview, body)).status).toBe(200);
    const checks = [{ name: 'X', label: 'X', rule: 'NOPE > 1' }];
    const invalid = { archive: { ...body.archive, checks } };
    const both = await admin.put(archive.path, invalid, { headers: { 'if-match': '"7"' } });
    expect(both.status).toBe(412);
    const changed = await admin.put(archive.path, body, { headers: { 'if-match': '"1"' } });
    expect(changed).toMatchObject({ status: 200, headers: { etag: '"2"' } });
    const same = await admin.put(archive.path, body, { headers: { 'if-match': '"2"' } });
    expect(same).toMatchObject({ status: 200, headers: { etag: '"2"' } });
  });

  it('is narrowed only where nothing misfits, unless misfits are kept', async () => {
    const narrow = [{ ...NO, maxLength: 4 }, { ...CITY, required: true }, TOTAL];
    const expected = {
      safe: false,
      changes: [
        {
          kind: 'change',
          field: 'NO',
          properties: ['maxLength'],
          affected: 3,
          misfits: 1,
          examples: [{ id: '3', value: 'A-333' }],
        },
        {
          kind: 'change',
          field: 'CITY',
          properties: ['required'],
          affected: 2,
          misfits: 1,
          examples: [{ id: '3', value: null }],
        },
      ],
    };
    expect(await archive.plan(narrow)).toEqual(expected);
    const refused = await archive.put(narrow);
    expect(refused).toMatchObject({
      status: 409,
      body: {
        code: 'definition_conflict',
        plan: expected,
        errors: { 'indexFields.NO': [expect.any(String)] },
      },
    });
    expect((await archive.get()).version).toBe(1);
    expect((await archive.put(narrow, { onMisfit: 'keep' })).status).toBe(200);
    expect(await archive.values(3)).toMatchObject({ NO: 'A-333', CITY: null });
    const tooLong = await admin.patch(`${archive.records}/documents/1/indexdata`, {
      indexFields: [{ name: 'NO', value: 'A-4444' }],
    });
    expect(tooLong.status).toBe(422);
    // A rule that did not change is not checked again.
    const described = [
      { ...NO, maxLength: 4, label: 'Number' },
      { ...CITY, required: true },
      TOTAL,
    ];
    expect((await archive.plan(described)).safe).toBe(true);
    expect((await archive.put(described)).status).toBe(200);
  });

  it('converts values as the form reads them', async () => {
    const decimal = [NO, CITY, { ...TOTAL, type: 'decimal', readAs: 'de-DE' }];
    const refused = await archive.put(decimal);
    expect(refused).toMatchObject({
      status: 409,
      body: { plan: { changes: [{ misfits: 1, examples: [{ id: '3', value: 'free' }] }] } },
    });
    await admin.patch(`${archive.records}/documents/3/indexdata`, {
      indexFields: [{ name: 'TOTAL', value: '0,5' }],
    });
    const changed = await archive.put(decimal);
    expect(changed.status).toBe(200);
    expect((await archive.get()).indexFields.map(({ name }) => name)).toEqual([
      'NO',
      'CITY',
      'TOTAL',
    ]);
    expect(await archive.values(1)).toMatchObject({ TOTAL: 1234.5 });
    expect(await archive.values(3)).toMatchObject({ TOTAL: 0.5 });
    expect((await list('where[TOTAL][gt]=7')).body).toMatchObject({ revisionIds: ['1'] });
    expect((await list('sort=-TOTAL')).body).toMatchObject({ revisionIds: ['1', '2', '3'] });
    const back = await archive.put([NO, CITY, TOTAL]);
    expect(back.status).toBe(200);
    expect(await archive.values(1)).toMatchObject({ TOTAL: '1234.5' });
    expect((await list('q=1234.5')).body).toMatchObject({ revisionIds: ['1'] });
  });

  it('converts values with a check of the rules that are new, and of no others', async () => {
    const amount = { ...TOTAL, type: 'integer', max: 10, options: null };
    const patch = async (id: number, value: unknown) =>
      admin.patch(`${archive.records}/documents/${id}/indexdata`, {
        indexFields: [{ name: 'TOTAL', value }],
      });
    for (const [id, value] of [
      [1, '50'],
      [2, '7'],
      [3, ''],
    ] as const) {
      expect((await patch(id, value)).status).toBe(200);
    }
    expect((await archive.put([NO, CITY, amount], { onMisfit: 'keep' })).status).toBe(200);
    const misfitsOf = async (field: Readonly<Record<string, unknown>>) => {
      const { changes } = await archive.plan([NO, CITY, field]);
      return changes.flatMap(({ examples }) => examples.map(({ id }) => id));
    };
    // A kept value that breaks a rule which did not change.
    const decimal = { ...amount, type: 'decimal' };
    expect(await misfitsOf(decimal)).toEqual([]);
    expect(await misfitsOf({ ...decimal, max: 20 })).toEqual([]);
    expect(await misfitsOf({ ...decimal, max: 5 })).toEqual(['1', '2']);
    expect(await misfitsOf({ ...decimal, min: 8 })).toEqual(['2']);
    expect(await misfitsOf({ ...decimal, options: [7] })).toEqual(['1']);
    expect(await misfitsOf({ ...decimal, required: true })).toEqual(['3']);
    expect(await misfitsOf({ ...TOTAL, maxLength: 1 })).toEqual(['1']);
    expect(await archive.put([NO, CITY, { ...decimal, required: true }])).toMatchObject({
      status: 409,
      body: { code: 'definition_conflict' },
    });
    expect(await archive.put([NO, CITY, decimal])).toMatchObject({ status: 200 });
    expect(await archive.values(1)).toMatchObject({ TOTAL: 50 });
  });

  it('keeps what cannot be converted in a retired field beside the new one', async () => {
    const decimal = [NO, CITY, { ...TOTAL, type: 'decimal', readAs: 'de-DE' }];
    expect((await archive.put(decimal, { onMisfit: 'keep' })).status).toBe(200);
    expect((await archive.get()).indexFields).toMatchObject([
      { name: 'NO' },
      { name: 'CITY' },
      { name: 'TOTAL', type: 'decimal', retiredAt: null },
      { name: 'TOTAL_before_1', type: 'text', retiredAt: expect.any(String) },
    ]);
    expect(await archive.values(3)).toMatchObject({ TOTAL: null });
    const restored = [
      NO,
      CITY,
      { ...TOTAL, type: 'decimal' },
      { name: 'TOTAL_before_1', type: 'text' },
    ];
    expect((await archive.put(restored)).status).toBe(200);
    expect(await archive.values(3)).toMatchObject({ TOTAL: null, TOTAL_before_1: 'free' });

    const again = restored.map((field) =>
      field.name === 'TOTAL_before_1' ? { ...field, type: 'decimal', readAs: 'de-DE' } : field,
    );
    expect((await archive.put(again, { onMisfit: 'keep' })).status).toBe(200);
    expect(await archive.values(1)).toMatchObject({ TOTAL: 1234.5, TOTAL_before_1: 1234.5 });
  });
});

describe('searches in read workers', () => {
  const { open, prepare } = testDatabases('sqlite');

  it(
    'find what the present fields contain, also of a field that is retired and restored',
    { tags: ['long'] },
    async () => {
      const config = await prepare();
      const t = await openApp(() => open({ ...config, limits: { workersFrom: 0 } }));
      const built = await buildArchive(t.database, [NO, CITY]);
      await buildRecords(t.database, built, [
        ['A-1', 'Ulm'],
        ['A-2', 'Ulm'],
      ]);
      await buildUser(t.database, { username: 'admin', role: 'administrator' });
      const admin = await t.signedIn('admin');
      const archive = new ArchiveAdministration(admin, built.name);
      const found = async () => {
        const { body } = await admin.get(`${archive.records}/index/count?q=ulm`);
        const ids = await admin.get(`${archive.records}/index/ids?q=ulm`);
        return { count: body, ids: ids.body };
      };
      const both = { count: { count: 2 }, ids: { revisionIds: ['1', '2'] } };
      const none = { count: { count: 0 }, ids: { revisionIds: [] } };
      expect(await found()).toMatchObject(both);
      expect((await archive.put([NO])).status).toBe(200);
      expect(await found()).toMatchObject(none);
      expect((await archive.put([NO, CITY])).status).toBe(200);
      expect(await found()).toMatchObject(both);
    },
  );

  it('do not use search texts for a field while a change of the definition has not recomputed all', async () => {
    const t = await openApp(open);
    const built = await buildArchive(t.database, [NO, CITY]);
    await buildRecords(t.database, built, [['A-1', 'Ulm']]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const admin = await t.signedIn('admin');
    const archive = new ArchiveAdministration(admin, built.name);
    expect((await archive.put([NO])).status).toBe(200);
    expect((await archive.put([NO, CITY])).status).toBe(200);
    // As the change that restored the field would leave them, if it failed before the first search text.
    await t.database.write(async (db) => {
      const before = { ...built, fields: built.fields.filter(({ name }) => name === 'NO') };
      await refreshSearchTexts(db, before, [1]);
      await db.k.updateTable('definition_jobs').set({ state: 'failed' }).execute();
    });
    const { body } = await admin.get(`${archive.records}/index/count?where[CITY][like]=ulm`);
    expect(body).toMatchObject({ count: 1 });
  });
});
