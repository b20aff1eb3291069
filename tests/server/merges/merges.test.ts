import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { Transaction } from '#server/database/database.ts';
import type { Archive, Collection, Table } from '#server/database/records/collection.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import { planChanges } from '#server/modules/records/records.service.ts';
import { pathsBelow } from '#server/modules/records/sent-record.ts';
import { executePlan } from '#server/modules/records/write-plan.ts';
import { datasetListAnswer, indexAnswer } from '#shared/contract/answers.ts';
import { auditAnswer } from '#shared/contract/audit.ts';
import { mergedAnswer, mergePlanAnswer } from '#shared/contract/merge-answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  buildWriter,
  rightOn,
} from '#tests/support/builders.ts';
import { describeOnOneDatabase, testDatabases } from '#tests/support/databases.ts';
import { holdSwitches, holdWrite, waitForBlocked } from '#tests/support/held-writes.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';
import { formOf } from '#tests/support/forms.ts';

const SUPPLIERS = [
  ['10', 'Acme', 'Bonn', null],
  ['11', 'ACME Ltd', 'Bonn', '10'],
  ['12', 'Acme', null, '11'],
  ['20', 'Bolt', 'Kiel', '11'],
] as const;
const INVOICES = [
  ['I-1', '10', 'Acme'],
  ['I-2', '11', 'ACME Ltd'],
  ['I-3', '12', 'Acme'],
  ['I-4', '20', 'Bolt'],
  ['I-5', '11', null],
] as const;

describeOnOneDatabase('merging records of a table', (open) => {
  let t: TestApp;
  let clerk: TestClient;
  let suppliers: Table;
  let orders: Table;
  let invoices: Archive;

  beforeEach(async () => {
    t = await openApp(open);
    const from = (column: string, fills = {}) => ({
      optionsFrom: { table: 'SUPPLIERS', column, fills },
    });
    suppliers = await buildTable(
      t.database,
      [
        { name: 'NO', unique: true },
        { name: 'NAME' },
        { name: 'CITY' },
        { name: 'PARENT', ...from('NO') },
      ],
      'SUPPLIERS',
    );
    orders = await buildTable(t.database, [{ name: 'ORDER' }, { name: 'SNO', ...from('NO') }]);
    invoices = await buildArchive(
      t.database,
      [{ name: 'INVOICE' }, { name: 'SNO', ...from('NO') }, { name: 'SUPPLIER', ...from('NAME') }],
      ['TAG'],
    );
    await buildRecords(t.database, suppliers, SUPPLIERS);
    await buildRecords(t.database, orders, [
      ['O-1', '12'],
      ['O-2', '20'],
    ]);
    await buildRecords(t.database, invoices, INVOICES, () => [['kept']]);
    const rights = [
      rightOn(suppliers, 'manage'),
      rightOn(orders, 'write'),
      rightOn(invoices, 'write'),
    ];
    await buildUser(t.database, { username: 'clerk', rights });
    clerk = await t.signedIn('clerk');
  });

  const tablePath = ({ guid }: Table) => `application/dataapp/tables/${guid}`;
  const rowsOf = async (table: Table) => {
    const { body } = await clerk.get(`${tablePath(table)}/datasets?sort=jrid`);
    return datasetListAnswer
      .parse(body)
      .datasets.map(({ jrid, ...values }) => [jrid, ...Object.values(values)]);
  };
  const invoicesNow = async () => {
    const { body } = await clerk.get(`${archivePath(invoices)}/index?sort=INVOICE`);
    return indexAnswer
      .parse(body)
      .archivedocuments.map(({ indexFields }) => indexFields.map(({ value }) => value));
  };
  const post = (path: string, body: unknown) =>
    clerk.post(`${tablePath(suppliers)}/merges${path}`, body);
  const MERGE = {
    keep: { jrid: 1 },
    merge: [{ jrid: '2' }, { jrid: 3 }],
    values: { NO: '11', CITY: 'Berlin' },
  };
  const all = async () => [await rowsOf(suppliers), await rowsOf(orders), await invoicesNow()];

  it('is planned without a change, with the look-ups that would point to the remaining one', async () => {
    const before = await all();
    const { status, body } = await post('/plan', MERGE);
    expect(status).toBe(200);
    const { merge } = mergePlanAnswer.parse(body);
    expect(merge).toMatchObject({
      keep: '1',
      removed: ['2', '3'],
      changes: [
        { name: 'NO', before: '10', after: '11' },
        { name: 'CITY', before: 'Bonn', after: 'Berlin' },
      ],
    });
    const counted = merge.references.map(({ kind, field, from, to, count }) => [
      kind,
      field,
      from,
      to,
      count,
    ]);
    expect(counted).toEqual([
      ['archive', 'SNO', ['10', '12'], '11', 2],
      ['archive', 'SUPPLIER', ['ACME Ltd'], 'Acme', 1],
      ['table', 'SNO', ['10', '12'], '11', 1],
    ]);
    expect(await all()).toEqual(before);
  });

  it('deletes the others and points look-ups to the remaining one, and undo brings all back', async () => {
    const before = await all();
    const { status, body } = await post('', MERGE);
    expect(status).toBe(200);
    const { datasets, meta } = mergedAnswer.parse(body);
    expect(datasets).toEqual([{ jrid: '1', NO: '11', NAME: 'Acme', CITY: 'Berlin', PARENT: null }]);
    expect(await all()).toEqual([
      [
        ['1', '11', 'Acme', 'Berlin', null],
        ['4', '20', 'Bolt', 'Kiel', '11'],
      ],
      [
        ['1', 'O-1', '11'],
        ['2', 'O-2', '20'],
      ],
      [
        ['I-1', '11', 'Acme'],
        ['I-2', '11', 'Acme'],
        ['I-3', '11', 'Acme'],
        ['I-4', '20', 'Bolt'],
        ['I-5', '11', null],
      ],
    ]);
    const { body: history } = await clerk.get(`${archivePath(invoices)}/documents/2/history`);
    expect(history).toMatchObject({
      history: [
        {
          user: 'clerk',
          changes: [{ name: 'SUPPLIER', before: 'ACME Ltd', after: 'Acme' }],
        },
      ],
    });

    expect(await post('/undo', { undo: meta.undo })).toMatchObject({ status: 200 });
    expect(await all()).toEqual(before);
    const read = await clerk.get(`${archivePath(invoices)}/documents/2`);
    expect(read.body).toMatchObject({
      archivedocumentrevisions: [{ keywordFields: [{ name: 'TAG', value: 'kept' }] }],
    });
    expect(await post('/undo', { undo: meta.undo })).toMatchObject({ status: 412 });
  });

  it('undoes of an archive changes of index fields alone', async () => {
    const documents = `${archivePath(invoices)}/documents`;
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const admin = await t.signedIn('admin');
    const undoNewest = async (by: TestClient) => {
      const audit = await admin.get(`configuration/audit?archive=${invoices.name}&kind=data`);
      const historyId = auditAnswer.parse(audit.body).entries[0]?.historyId;
      const entries = { kind: 'archive', id: invoices.name, historyIds: [historyId] };
      return by.post(`${tablePath(suppliers)}/merges/undo`, { undo: [entries] });
    };
    const refused = { status: 422, body: { code: 'validation_failed' } };

    const form = formOf([
      ['indexFields[0][name]', 'INVOICE'],
      ['indexFields[0][value]', 'I-6'],
    ]);
    expect((await clerk.send('POST', documents, form.body, form)).status).toBe(201);
    expect(await undoNewest(clerk)).toMatchObject(refused);
    expect((await invoicesNow()).at(-1)).toEqual(['I-6', null, null]);

    const path = `${documents}/1/indexdata`;
    await clerk.patch(path, { keywordFields: [{ name: 'TAG', keywords: 'new' }] });
    expect(await undoNewest(clerk)).toMatchObject(refused);
    await clerk.patch(`${documents}/2`, { locked: true });
    expect(await undoNewest(clerk)).toMatchObject(refused);
    expect((await admin.delete(`${documents}/3`)).status).toBe(204);
    expect(await undoNewest(admin)).toMatchObject(refused);

    await clerk.patch(path, { indexFields: [{ name: 'INVOICE', value: 'I-0' }] });
    expect((await undoNewest(clerk)).status).toBe(200);
    expect((await invoicesNow())[0]).toEqual(INVOICES[0]);
    expect((await undoNewest(clerk)).status).toBe(200);
    expect((await invoicesNow())[0]?.[0]).toBe('I-0');
  });

  it('is undone not at all where a document was changed since, which the error names', async () => {
    const { meta } = mergedAnswer.parse((await post('', MERGE)).body);
    const change = { indexFields: [{ name: 'SUPPLIER', value: 'Acme Inc.' }] };
    const path = `${archivePath(invoices)}/documents/2/indexdata`;
    expect((await clerk.patch(path, change)).status).toBe(200);
    const now = await all();
    const at = meta.undo.findIndex(({ kind }) => kind === 'archive');
    const { status, body } = await post('/undo', { undo: meta.undo });
    expect(status).toBe(412);
    expect(Object.keys(Object(body).errors)).toEqual([
      expect.stringMatching(new RegExp(`^undo\\.${at}\\.historyIds\\.\\d+$`)),
    ]);
    expect(await all()).toEqual(now);
  });

  it('points look-ups of another type to the remaining one', async () => {
    const columns = [{ name: 'NO', type: 'integer' }, { name: 'CODE' }];
    const table = await buildTable(t.database, columns, 'NUMBERED');
    await buildRecords(t.database, table, [
      [7, '70'],
      [8, '80'],
    ]);
    const from = (column: string) => ({ optionsFrom: { table: 'NUMBERED', column } });
    const archive = await buildArchive(t.database, [
      { name: 'NO', ...from('NO') },
      { name: 'CODE', type: 'integer', ...from('CODE') },
    ]);
    await buildRecords(t.database, archive, [
      ['8', 80],
      ['08', 8],
    ]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const admin = await t.signedIn('admin');
    const merge = { keep: { jrid: 1 }, merge: [{ jrid: 2 }] };
    expect((await admin.post(`${tablePath(table)}/merges`, merge)).status).toBe(200);
    const { body } = await admin.get(`${archivePath(archive)}/index`);
    expect(body).toMatchObject({
      archivedocuments: [
        { indexFields: [{ value: '7' }, { value: 70 }] },
        { indexFields: [{ value: '08' }, { value: 8 }] },
      ],
    });
  });

  it('leaves look-ups alone whose value another record has', async () => {
    const plan = await post('/plan', { keep: { jrid: 2 }, merge: [{ jrid: 1 }] });
    const { merge } = mergePlanAnswer.parse(plan.body);
    expect(merge.references.map(({ field, from, count }) => [field, from, count])).toEqual([
      ['SNO', ['10'], 1],
      ['PARENT', ['10'], 1],
    ]);
  });

  it('is refused as a whole where a record was changed, is locked, or a value is missing', async () => {
    const before = await all();
    const stale = { ...MERGE, merge: [{ jrid: 2, ifMatch: '"7"' }, { jrid: 3 }] };
    expect(await post('', stale)).toMatchObject({
      status: 412,
      body: { errors: { 'merge.0': [expect.stringContaining('changed')] } },
    });
    expect(await post('', { ...MERGE, keep: { jrid: 1, ifMatch: '"7"' } })).toMatchObject({
      status: 412,
    });
    expect(await post('', { ...MERGE, values: { NO: '' } })).toMatchObject({
      status: 422,
      body: { errors: { 'values.NO': [expect.stringContaining('Choose a value')] } },
    });
    expect(await post('', { ...MERGE, values: { NO: '20' } })).toMatchObject({ status: 409 });
    expect(await post('', { ...MERGE, merge: [{ jrid: 1 }] })).toMatchObject({ status: 422 });
    expect(await post('', { ...MERGE, merge: [{ jrid: 99 }] })).toMatchObject({ status: 404 });
    await buildUser(t.database, { username: 'other', rights: [rightOn(invoices, 'write')] });
    const other = await t.signedIn('other');
    const lock = await other.patch(`${archivePath(invoices)}/documents/3`, { locked: true });
    expect(lock.status).toBe(200);
    expect(await post('', MERGE)).toMatchObject({ status: 423 });
    expect(await all()).toEqual(before);
  });

  it('needs the right to manage the table, and to change what looks it up', async () => {
    const may = async (
      username: string,
      rights: readonly ReturnType<typeof rightOn>[],
      merge: object = MERGE,
    ) => {
      await buildUser(t.database, { username, rights });
      const person = await t.signedIn(username);
      const { status, body } = await person.post(`${tablePath(suppliers)}/merges/plan`, merge);
      return { status, errors: z.object({ errors: z.unknown() }).safeParse(body).data?.errors };
    };
    expect(await may('writer', [rightOn(suppliers, 'write')])).toMatchObject({ status: 403 });
    const blind = await may('blind', [rightOn(suppliers, 'manage')]);
    expect(blind).toMatchObject({ status: 403 });
    expect(JSON.stringify(blind)).not.toContain(invoices.name);
    const reading = [
      rightOn(suppliers, 'manage'),
      rightOn(orders, 'write'),
      rightOn(invoices, 'read'),
    ];
    expect(await may('reader', reading)).toMatchObject({ status: 403 });
    const CHOOSING_NONE = { ...MERGE, values: {} };
    const [no, name] = suppliers.fields;
    const withHidden = (hidden: typeof no) => [
      {
        ...rightOn(suppliers, 'manage'),
        fields: new Map([[hidden?.number ?? 0, 'hidden']] as const),
      },
      rightOn(orders, 'write'),
      rightOn(invoices, 'write'),
    ];
    expect(await may('without-numbers', withHidden(no), CHOOSING_NONE)).toEqual(blind);
    expect(await may('without-names', withHidden(name), CHOOSING_NONE)).toEqual(blind);
  });
});

describe('a merge beside other writes', { tags: ['postgres'] }, () => {
  const { open } = testDatabases('postgres');
  let t: TestApp;
  let admin: TestClient;
  let suppliers: Table;
  let invoices: Archive;
  let letters: Archive;

  beforeEach(async () => {
    t = await openApp(open);
    suppliers = await buildTable(t.database, [{ name: 'NO' }]);
    await buildRecords(t.database, suppliers, [['10'], ['11']]);
    const fields = [{ name: 'SNO', optionsFrom: { table: suppliers.name, column: 'NO' } }];
    invoices = await buildArchive(t.database, fields);
    letters = await buildArchive(t.database, fields);
    for (const archive of [invoices, letters]) await buildRecords(t.database, archive, [['11']]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    admin = await t.signedIn('admin');
  });

  const merge = () =>
    admin.post(`application/dataapp/tables/${suppliers.guid}/merges`, {
      keep: { jrid: 1 },
      merge: [{ jrid: 2 }],
    });
  const valuesIn = async (archive: Archive) => {
    const { body } = await admin.get(`${archivePath(archive)}/index`);
    return indexAnswer
      .parse(body)
      .archivedocuments.flatMap(({ indexFields }) => indexFields.map(({ value }) => value));
  };
  const change = async (db: Transaction, collection: Collection, id: number, values: object) => {
    const sent = {
      values: Object.entries(values).map(([name, value]) => ({ name, value })),
      keywords: [],
    };
    const entry = { id, paths: pathsBelow('-'), ifMatch: null, sent, requiresAllFields: false };
    await executePlan(db, await planChanges(db, collection, buildWriter(), [entry]));
  };
  const isBlocked = (writes: number) => waitForBlocked(t.database, writes);

  it('leaves a look-up alone that another person has changed while it waited', async () => {
    const commit = await holdWrite(t.database, (db) => change(db, invoices, 1, { SNO: '99' }));
    const merged = merge();
    await isBlocked(1).finally(commit);
    expect((await merged).status).toBe(200);
    expect([await valuesIn(invoices), await valuesIn(letters)]).toEqual([['99'], ['10']]);
  });

  it('redirects look-ups of the values that the merged records have when it changes them', async () => {
    await buildRecords(t.database, letters, [['12']]);
    const commit = await holdWrite(t.database, (db) => change(db, suppliers, 2, { NO: '12' }));
    const merged = merge();
    await isBlocked(1).finally(commit);
    expect((await merged).status).toBe(200);
    expect(await valuesIn(letters)).toEqual(['11', '10']);
  });

  it('changes look-ups before a job converts them', async () => {
    const goOn = await holdSwitches(t.database);
    const administration = new ArchiveAdministration(admin, letters.name);
    const [sno] = (await administration.get()).indexFields;
    const converted = administration.put([{ ...sno, type: 'integer' }]);
    await isBlocked(1);
    const commit = await holdWrite(t.database, (db) => readRecords(db, invoices, [1], 'lock'));
    const merged = merge();
    await isBlocked(2);
    await goOn();
    // Both wait, or the job has not waited for the merge.
    await Promise.race([isBlocked(2), converted]).finally(commit);
    expect([(await merged).status, (await converted).status]).toEqual([200, 200]);
    expect([await valuesIn(invoices), await valuesIn(letters)]).toEqual([['10'], [10]]);
  });
});
