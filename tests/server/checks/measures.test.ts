/** @module-tag slow */
import { expect, it, vi } from 'vitest';
import { checksAnswer } from '#shared/contract/check-answers.ts';
import { buildUser, openApp } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
} from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';

describeOnOneDatabase('numbers that are unusual', (open) => {
  it('are compared with the records that have the same value in the same field', async () => {
    const t = await openApp(open);
    const [firms, accounts] = [
      await buildTable(t.database, [{ name: 'NO' }], 'FIRMS'),
      await buildTable(t.database, [{ name: 'NO', type: 'integer' }], 'ACCOUNTS'),
    ];
    await buildRecords(t.database, firms, [['1'], ['2']]);
    await buildRecords(t.database, accounts, [[1], [2]]);
    const fields = [
      { name: 'FIRM', type: 'text' },
      { name: 'ACCOUNT', type: 'integer' },
      { name: 'AMOUNT', type: 'decimal' },
    ];
    const archive = await buildArchive(t.database, fields);
    const many = (firm: string | null, account: number | null, amount: number) =>
      Array.from({ length: 21 }, () => [firm, account, amount]);
    // The firm 1 has large amounts, the account 1 small ones; amounts of the firm 2 are credits.
    await buildRecords(t.database, archive, [
      ...many('1', null, 5_000),
      ...many(null, 1, 5),
      ...many('2', null, -5),
      ['1', null, 5],
      ['1', null, 50_000],
      ['1', null, 50_000.01],
      [null, 1, 5_000],
      [null, 1, 0.5],
      ['2', null, -50.01],
      ['2', null, -0.5],
      // Too few have this value, or none.
      ['3', 2, 1_000_000],
      ['', null, 1_000_000],
    ]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const admin = await t.signedIn('admin');
    const path = archivePath(archive);
    const tables: Readonly<Record<string, string>> = { FIRM: 'FIRMS', ACCOUNT: 'ACCOUNTS' };
    const withOptions = fields.map((field) => {
      const table = tables[field.name];
      return table ? { ...field, optionsFrom: { table, column: 'NO' } } : field;
    });
    const put = await new ArchiveAdministration(admin, archive.name).put(withOptions);
    expect(put.status).toBe(200);
    await vi.waitFor(async () => {
      const { checks } = checksAnswer.parse((await admin.get(`${path}/checks`)).body);
      expect(checks.find(({ name }) => name === '_outlier')).toMatchObject({ count: 4 });
    });
    expect((await admin.get(`${path}/index/ids?where[check][eq]=_outlier`)).body).toMatchObject({
      revisionIds: ['64', '66', '67', '69'],
    });
  });

  it('are found of records that were stored after the check, when they are many', async () => {
    const t = await openApp(open);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const admin = await t.signedIn('admin');
    const firms = await buildTable(t.database, [{ name: 'NO' }], 'FIRMS');
    await buildRecords(t.database, firms, [['1']]);
    const optionsFrom = { table: 'FIRMS', column: 'NO' };
    const columns = [
      { name: 'FIRM', type: 'text', optionsFrom },
      { name: 'AMOUNT', type: 'decimal' },
      { name: 'USUAL', type: 'date' },
      { name: 'SELDOM', type: 'date' },
    ];
    const table = await buildTable(t.database, columns);
    const path = datasetsPath(table);
    const counts = async () => {
      const { checks } = checksAnswer.parse(
        (await admin.get(`${path.replace(/datasets$/, '')}checks`)).body,
      );
      const countOf = (wanted: string) => checks.find(({ name }) => name === wanted)?.count;
      return { future: countOf('_future'), outlier: countOf('_outlier') };
    };
    await vi.waitFor(async () => expect(await counts()).toEqual({ future: 0, outlier: 0 }));
    const datasets = Array.from({ length: 150 }, (_, i) => ({
      firm: '1',
      amount: i === 0 ? 5_000 : 20,
      usual: i % 2 === 0 ? '2999-01-01' : '2020-01-01',
      seldom: i === 0 ? '2999-01-01' : '2020-01-01',
    }));
    expect((await admin.post(path, { datasets })).status).toBe(200);
    await vi.waitFor(async () => expect(await counts()).toEqual({ future: 1, outlier: 1 }));
  });
});
