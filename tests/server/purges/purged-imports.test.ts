/** @module-tag slow */
import { beforeAll, expect, it } from 'vitest';
import { sql } from 'kysely';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords, buildTable } from '#tests/support/builders.ts';
import { bulkEditOf } from '#tests/support/bulk-edits.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { sampled } from '#tests/support/effort.ts';
import { formOf } from '#tests/support/forms.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';
import { tablesWith } from './purging.ts';

const TITLE = { name: 'TITLE', label: 'Title', required: true };
const SECRET = 'SECRET1234';

describeOnOneDatabase('a purge removes imports with refused rows', (open) => {
  let t: TestApp;
  let admin: TestClient;
  beforeAll(async () => {
    t = await openApp(open);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    admin = await t.signedIn('admin');
  });

  const tablePath = ({ guid }: Table) => `application/dataapp/tables/${guid}`;
  /** Plans an import that refuses its only row. */
  const refused = async (path: string, csv: string, columns?: readonly object[]) => {
    const form = formOf([
      ['mode', 'create'],
      ...(columns ? [['columns', JSON.stringify(columns)] as [string, string]] : []),
      ['files[0]', { name: 'rows.csv', bytes: csv }],
    ]);
    const plan = bulkEditOf(
      await admin.post(`${path}/imports`, form.body, { headers: form.headers }),
    );
    expect(plan.counts).toMatchObject({ total: 1, invalid: 1 });
    return plan;
  };
  const idsOf = async (path: string) => {
    const { bulkedits } = Object((await admin.get(`${path}/bulkedits`)).body);
    return bulkedits.map(({ bulkEditId }: { bulkEditId: string }) => bulkEditId);
  };
  const isStored = async (text: string) =>
    (await tablesWith(t.database, text)).includes('bulk_edit_revisions');
  const removeField = async (archive: Archive, name: string, fields: readonly object[]) => {
    const administration = new ArchiveAdministration(admin, archive.name);
    const put = await administration.put(
      fields.map((field) => ({ type: 'text', ...field })),
      {
        keywordFields: [],
      },
    );
    expect(put.status).toBe(200);
    const path = `${administration.path}/fields/${name}/purge`;
    expect(await admin.post(path, { confirm: name })).toMatchObject({ status: 204 });
  };
  const build = () =>
    buildArchive(
      t.database,
      [TITLE, { name: 'IBAN', label: 'Account' }, { name: 'CITY', label: 'City' }],
      ['SUBJECT'],
    );

  const headers = sampled<[string, string, readonly object[] | undefined]>(3, [
    [
      'by another header',
      'Title,Konto,City',
      [{ as: 'field', field: 'TITLE' }, { as: 'field', field: 'IBAN' }, { as: 'nothing' }],
    ],
    [
      'by the label of a column that is not mapped',
      'Title,Account,City',
      [{ as: 'field', field: 'TITLE' }, { as: 'nothing' }, { as: 'field', field: 'CITY' }],
    ],
    [
      'by its name between blanks over a column that is not mapped',
      'Title,\u00a0IBAN\t,City',
      [{ as: 'field', field: 'TITLE' }, { as: 'nothing' }, { as: 'field', field: 'CITY' }],
    ],
    [
      'by its name in lower case over a column that is not mapped',
      'Title,iban,City',
      [{ as: 'field', field: 'TITLE' }, { as: 'nothing' }, { as: 'field', field: 'CITY' }],
    ],
    ['by its label', 'Title,Account,City', undefined],
  ]);
  it.each(headers)('that hold a field %s', async (_, header, columns) => {
    const archive = await build();
    const path = archivePath(archive);
    await refused(path, `${header}\n,${SECRET},x\n`, columns);
    await removeField(archive, 'IBAN', [TITLE, { name: 'CITY', label: 'City' }]);
    expect(await isStored(SECRET)).toBe(false);
    expect(await idsOf(path)).toEqual([]);
  });

  it('that hold a keyword field by another header, and no others', async () => {
    const archive = await build();
    const path = archivePath(archive);
    const columns = [
      { as: 'field', field: 'TITLE' },
      { as: 'keyword', keyword: 'SUBJECT' },
    ];
    await refused(path, `Title,Words\n,${SECRET}\n`, columns);
    const other = await refused(path, 'Title,City\n,Bern\n');
    const fields = [TITLE, { name: 'IBAN', label: 'Account' }, { name: 'CITY', label: 'City' }];
    await removeField(archive, 'SUBJECT', fields);
    expect(await isStored(SECRET)).toBe(false);
    expect(await idsOf(path)).toEqual([other.bulkEditId]);
  });

  it('that quote a value which could not be read in their reason', { tags: ['long'] }, async () => {
    const sum = { name: 'SUM', label: '50% of all', type: 'integer' };
    const archive = await buildArchive(t.database, [TITLE, sum]);
    const path = archivePath(archive);
    const form = formOf([
      ['files[0]', { name: 'rows.csv', bytes: `Revision id,50% of all\n1,${SECRET}\n` }],
    ]);
    await buildRecords(t.database, archive, [['one', 1]]);
    const plan = await admin.post(`${path}/imports`, form.body, { headers: form.headers });
    expect(bulkEditOf(plan).counts).toMatchObject({ invalid: 1 });
    await removeField(archive, 'SUM', [TITLE]);
    expect(await isStored(SECRET)).toBe(false);
  });

  it(
    'that an older version has stored without the fields of their columns',
    { tags: ['long'] },
    async () => {
      const archive = await build();
      const columns = [
        { as: 'field', field: 'TITLE' },
        { as: 'field', field: 'IBAN' },
      ];
      const { bulkEditId } = await refused(
        archivePath(archive),
        `Title,Konto\n,${SECRET}\n`,
        columns,
      );
      await t.database.write((db) =>
        sql`update bulk_edit_revisions
        set changes = replace(replace(changes, ',"field":"TITLE"', ''), ',"field":"IBAN"', '')
        where bulk_edit_id = ${Number(bulkEditId)}`.execute(db.k),
      );
      await removeField(archive, 'IBAN', [TITLE, { name: 'CITY', label: 'City' }]);
      expect(await isStored(SECRET)).toBe(false);
    },
  );

  it('of a table, by one of its columns', { tags: ['long'] }, async () => {
    const amount = { name: 'AMOUNT', label: 'Amount' };
    const table = await buildTable(t.database, [TITLE, amount, { name: 'CITY' }]);
    const columns = [
      { as: 'field', field: 'TITLE' },
      { as: 'field', field: 'AMOUNT' },
    ];
    await refused(tablePath(table), `Title,Sum\n,${SECRET}\n`, columns);
    const other = await refused(tablePath(table), 'Title,CITY\n,Bern\n');
    const path = `configuration/tables/${table.guid}`;
    const [definition] = Object((await admin.get(path)).body).tables;
    const kept = definition.columns.filter(({ name }: { name: string }) => name !== 'AMOUNT');
    const put = await admin.put(
      path,
      { table: { ...definition, columns: kept } },
      { headers: { 'if-match': `"${definition.version}"` } },
    );
    expect(put.status).toBe(200);
    const purge = await admin.post(`${path}/columns/AMOUNT/purge`, { confirm: 'AMOUNT' });
    expect(purge.status).toBe(204);
    expect(await isStored(SECRET)).toBe(false);
    expect(await idsOf(tablePath(table))).toEqual([other.bulkEditId]);
  });

  it('of a whole archive or table', { tags: ['long'] }, async () => {
    const archive = await build();
    const table = await buildTable(t.database, [TITLE, { name: 'CITY' }]);
    const columns = [{ as: 'field', field: 'TITLE' }, { as: 'nothing' }];
    await refused(archivePath(archive), `Title,Konto\n,${SECRET}\n`, columns);
    await refused(tablePath(table), `Title,Konto\n,${SECRET}\n`, columns);
    for (const [path, confirm] of [
      [`configuration/archives/${archive.name}`, archive.name],
      [`configuration/tables/${table.guid}`, table.name],
    ] as const) {
      expect((await admin.delete(path)).status).toBe(204);
      expect((await admin.delete(`${path}?purge=true`, { confirm })).status).toBe(204);
    }
    expect(await isStored(SECRET)).toBe(false);
  });
});
