import { beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import {
  definedArchivesAnswer,
  definedTablesAnswer,
} from '#shared/contract/configuration-definitions.ts';
import { errorBodySchema } from '#shared/contract/errors.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

const GUID = '8d2b7c11-6a1f-4b5e-9c3d-0f1e2d3c4b5a';

describeOnOneDatabase('archives and tables that an administrator defines', (open) => {
  let t: TestApp;
  let admin: TestClient;
  let clerk: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    await buildUser(t.database, { username: 'clerk' });
    admin = await t.signedIn('admin');
    clerk = await t.signedIn('clerk');
  });

  const archive = {
    guid: GUID,
    table: 'CONTRACTS',
    name: 'Contracts',
    indexFields: [
      { name: 'NO', type: 'text', required: true, maxLength: 20 },
      { name: 'TOTAL', label: 'Total', type: 'decimal', scale: 2, min: 0 },
    ],
    keywordFields: [{ name: 'SUBJECT', label: 'Subject' }],
  };

  it('are answered whole, with an ETag of the definition, and can be used at once', async () => {
    const created = await admin.post('configuration/archives', { archive });
    expect(created.status).toBe(201);
    const [one] = definedArchivesAnswer.parse(created.body).archives;
    expect(one).toMatchObject({
      guid: GUID,
      table: 'CONTRACTS',
      name: 'Contracts',
      description: '',
      documents: 0,
      retiredAt: null,
      version: 1,
      keywordFields: [{ name: 'SUBJECT', label: 'Subject', retiredAt: null }],
    });
    expect(one?.indexFields[0]).toEqual({
      name: 'NO',
      label: 'NO',
      type: 'text',
      required: true,
      maxLength: 20,
      scale: null,
      options: null,
      min: null,
      max: null,
      pattern: null,
      description: '',
      optionsFrom: null,
      retiredAt: null,
    });
    expect(created.headers.etag).toBe('"1"');

    const document = await admin.post('application/archiveapp/archives/contracts/index/count');
    expect(document.status).toBe(405);
    const count = await admin.get('application/archiveapp/archives/contracts/index/count');
    expect(count.body).toEqual({ count: 0 });

    const list = await admin.get('configuration/archives');
    expect(list.body).toEqual(created.body);
    for (const key of [GUID, GUID.toUpperCase(), 'Contracts']) {
      const read = await admin.get(`configuration/archives/${key}`);
      expect(read.body).toEqual(created.body);
      expect(read.headers.etag).toBe('"1"');
    }
  });

  it('are accepted as they are answered, also with thousands of options', async () => {
    const options = Array.from({ length: 1_001 }, (_, i) => `option ${i}`);
    const many = {
      table: 'MANY',
      name: 'Many',
      indexFields: [{ name: 'NO', type: 'text', options }],
    };
    const created = await admin.post('configuration/archives', { archive: many });
    expect(created).toMatchObject({ status: 201 });
    const [answered] = definedArchivesAnswer.parse(created.body).archives;
    const headers = { 'if-match': '*' };
    const same = await admin.put('configuration/archives/MANY', { archive: answered }, { headers });
    expect(same).toMatchObject({ status: 200, body: created.body });
  });

  it('are refused with records, which would not be stored, and with other keys that they do not have', async () => {
    const table = { name: 'FILLED', columns: [{ name: 'SNO', type: 'integer' }] };
    for (const [path, body, place] of [
      ['configuration/tables', { table: { ...table, datasets: [{ SNO: 7 }] } }, 'table.datasets'],
      ['configuration/tables', { table, datasets: [{ SNO: 7 }] }, 'datasets'],
      ['configuration/tables', { table: { ...table, datasetsFrom: 'a.csv' } }, 'datasetsFrom'],
      ['configuration/archives', { archive: { ...archive, documents: [] } }, 'archive.documents'],
      ['configuration/archives', { archive: { ...archive, views: [] } }, 'views'],
    ] as const) {
      expect(await admin.post(path, body)).toMatchObject({
        status: 422,
        body: { errors: { '-': [expect.stringContaining(place)] } },
      });
    }
    // What answers have may be sent back.
    const answered = { ...table, datasets: 0, estimated: true, version: 1, retiredAt: null };
    expect((await admin.post('configuration/tables', { table: answered })).status).toBe(201);
  });

  it('get a GUID where none is given', async () => {
    const created = await admin.post('configuration/tables', {
      table: {
        name: 'SUPPLIERS',
        label: 'Suppliers',
        columns: [
          { name: 'SNO', type: 'integer', unique: true },
          { name: 'CITY', type: 'text', default: 'Bonn' },
        ],
        uniqueTogether: [['SNO', 'CITY']],
      },
    });
    expect(created.status).toBe(201);
    const [table] = definedTablesAnswer.parse(created.body).tables;
    expect(z.guid().safeParse(table?.guid).success).toBe(true);
    expect(table).toMatchObject({ datasets: 0, version: 1, uniqueTogether: [['SNO', 'CITY']] });
    expect(table?.columns[1]).toMatchObject({ name: 'CITY', default: 'Bonn', unique: false });

    const added = await admin.post(`application/dataapp/tables/${table?.guid}/datasets`, {
      dataset: { SNO: 7 },
    });
    expect(added.body).toEqual({
      datasets: [{ jrid: '1', SNO: 7, CITY: 'Bonn' }],
      meta: { findings: [] },
    });
    const read = await admin.get(`configuration/tables/${table?.guid}`);
    expect(read.body).toMatchObject({ tables: [{ datasets: 1 }] });
    expect(read.headers.etag).toBe('"1"');
  });

  it('are refused where the name or the GUID is taken', async () => {
    expect(await admin.post('configuration/archives', { archive })).toMatchObject({
      status: 409,
      body: {
        code: 'conflict',
        errors: {
          guid: ['The GUID belongs to an archive, which may be retired.'],
          table: ['The name CONTRACTS belongs to another archive, which may be retired.'],
        },
        details: [
          { path: 'guid', code: 'definitions.guidTaken', params: { kind: 'archive' } },
          {
            path: 'table',
            code: 'definitions.nameTaken',
            params: { kind: 'archive', name: 'CONTRACTS' },
          },
        ],
      },
    });
  });

  it('are refused with all that is wrong, and the status of the first kind', async () => {
    const wrong = { checks: [{ name: 'NONE', rule: 'NONE > 1' }] };
    const first = {
      guid: '2f6c1c5e-3b0a-4d8e-8f3c-6a7b8c9d0e1f',
      table: 'FIRST',
      name: 'First',
      indexFields: [{ name: 'A', type: 'text' }],
    };
    const { guid: _, ...second } = { ...first, table: 'SECOND' };
    for (const archive of [first, second]) {
      expect((await admin.post('configuration/archives', { archive })).status).toBe(201);
    }
    const added = await admin.post('configuration/archives', { archive: { ...first, ...wrong } });
    expect(added.status).toBe(422);
    const check = 'checks.NONE.rule';
    expect(Object.keys(errorBodySchema.parse(added.body).errors)).toEqual([check, 'guid', 'table']);
    const changed = await admin.put(
      'configuration/archives/SECOND',
      { archive: { ...second, ...wrong, table: 'FIRST' } },
      { headers: { 'if-match': '*' } },
    );
    expect(changed.status).toBe(422);
    expect(Object.keys(errorBodySchema.parse(changed.body).errors)).toEqual([check, 'table']);
  });

  it('are refused where the GUID is that of another kind', async () => {
    const table = { guid: GUID, name: 'OTHER_KIND', columns: [{ name: 'A', type: 'text' }] };
    expect(await admin.post('configuration/tables', { table })).toMatchObject({
      status: 409,
      body: { errors: { guid: ['The GUID belongs to an archive, which may be retired.'] } },
    });
  });

  it('are refused where a part is wrong, in the form of all errors', async () => {
    const refused = async (indexFields: unknown[]) => {
      const { guid: _, ...rest } = archive;
      const sent = { archive: { ...rest, table: 'OTHER', indexFields } };
      return admin.post('configuration/archives', sent);
    };
    expect(await refused([{ name: 'check', type: 'text' }])).toMatchObject({
      status: 422,
      body: { code: 'validation_failed', errors: { 'indexFields.check': [expect.any(String)] } },
    });
    for (const fields of [
      [],
      [{ name: '1', type: 'text' }],
      [{ name: 'A', type: 'letters' }],
      [{ name: 'A', type: 'integer', maxLength: 3 }],
      [{ name: 'A', type: 'text', unknown: true }],
      [
        { name: 'A', type: 'text' },
        { name: 'a', type: 'text' },
      ],
    ]) {
      expect(await refused(fields)).toMatchObject({
        status: 422,
        body: { code: 'validation_failed' },
      });
    }
  });

  it('are refused in whole sentences where they contradict themselves', async () => {
    const messagesOf = async (field: unknown, more = {}) => {
      const table = { name: 'WRONG', columns: [field, { name: 'B', type: 'text' }], ...more };
      const { status, body } = await admin.post('configuration/tables', { table });
      expect(status).toBe(422);
      return z.object({ errors: z.record(z.string(), z.array(z.string())) }).parse(body).errors;
    };
    const A = { name: 'A', type: 'integer' };
    const at = 'In “table.columns[0].';
    expect(await messagesOf({ ...A, min: 5, max: 1 })).toEqual({
      '-': [`${at}max”: max is less than min.`],
    });
    expect(await messagesOf({ ...A, options: [1, null] })).toEqual({
      '-': [`${at}options”: An option must not be null.`],
    });
    expect(await messagesOf({ ...A, type: 'text', maxLength: 0, group: '', options: [] })).toEqual({
      '-': [
        `${at}maxLength”: It must be at least 1.`,
        `${at}options”: It needs at least one entry.`,
        `${at}group”: It needs at least one character.`,
      ],
    });
    expect(await messagesOf({ ...A, type: 'decimal', scale: 15 })).toEqual({
      '-': [`${at}scale”: It must be at most 14.`],
    });
    expect(await messagesOf({ ...A, options: [1, 2, 1.0] })).toEqual({
      'columns.A.options': ['The option 1 occurs more than once.'],
    });
    expect(await messagesOf({ ...A, retiredAt: 'yes' })).toEqual({
      '-': [`${at}retiredAt”: It must be null, or a time such as 2026-01-31T12:00:00Z.`],
    });
    const optionsFrom = { table: 'T', column: 'C', fills: { '1': 'B' } };
    expect(await messagesOf({ ...A, optionsFrom })).toEqual({
      '-': [expect.stringContaining('A name starts with a letter')],
    });
    expect(await messagesOf(A, { uniqueTogether: [['A', 'a']] })).toEqual({
      uniqueTogether: ['The column a occurs more than once in one list.'],
    });
  });

  it('are for administrators alone, whatever is sent', async () => {
    for (const answer of [
      await clerk.get('configuration/archives'),
      await clerk.get('configuration/tables/none'),
      await clerk.post('configuration/archives', { archive }),
      await clerk.post('configuration/tables', '{'),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'forbidden' } });
    }
    expect(await admin.get('configuration/archives/none')).toMatchObject({ status: 404 });
    expect(await t.client().get('configuration/tables')).toMatchObject({ status: 401 });
  });
});
