/** @module-tag slow */
import { expect, it, vi } from 'vitest';
import { wrapDatabase } from '#server/database/wrap-database.ts';
import { checksAnswer } from '#shared/contract/check-answers.ts';
import { buildUser, openApp } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
} from '#tests/support/builders.ts';
import { recordStatements } from '#tests/support/database-statements.ts';
import { describeOnBothDatabases, describeOnOneDatabase } from '#tests/support/databases.ts';
import { IS_LONG_RUN, WAIT_LIMIT } from '#tests/support/effort.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';
import { historyFollowed } from './follow-history.ts';

const FIELDS = [
  { name: 'NO', type: 'text' },
  { name: 'SIZE', type: 'integer' },
];
const SMALL = { name: 'SMALL', rule: 'SIZE < 10' };
const OTHERS = [
  { name: 'EVEN', rule: 'SIZE in (0, 2, 4, 6, 8)' },
  { name: 'TWICE', duplicates: [['NO']] },
];

describeOnBothDatabases('the counts of checks', (open, { dialect }) => {
  it('follow saves while another check is counted, which has them at its end', async () => {
    let [isHeld, release] = [false, () => undefined as void];
    const held = vi.fn<() => Promise<void>>(() => {
      isHeld = false;
      return new Promise<void>((resolve) => {
        release = resolve;
      });
    });
    const t = await openApp(async () => {
      const database = await open();
      const { duplicateKeys } = database.adapter;
      // The first work on all records waits: a read, or for new duplicates on PostgreSQL a write.
      return wrapDatabase(database, {
        async read(work, context) {
          if (isHeld && context?.isBackground) await held();
          return database.read(work, context);
        },
        async write(work, options) {
          if (isHeld && duplicateKeys && options?.weight === 'large' && options.signal)
            await held();
          return database.write(work, options);
        },
      });
    });
    const built = await buildArchive(t.database, FIELDS);
    await buildRecords(t.database, built, [
      ['a', 1],
      ['b', 2],
      ['c', 3],
    ]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const admin = await t.signedIn('admin');
    const archive = new ArchiveAdministration(admin, built.name);
    const counts = (expected: Readonly<Record<string, number | null>>) =>
      vi.waitFor(
        async () => {
          const { checks } = checksAnswer.parse(
            (await admin.get(`${archive.records}/checks`)).body,
          );
          const found = checks.map(({ name, count }) => [name, count]);
          expect(Object.fromEntries(found)).toMatchObject(expected);
        },
        { timeout: WAIT_LIMIT, interval: 20 },
      );
    const save = (id: number, values: Readonly<Record<string, string | number>>) => {
      const indexFields = Object.entries(values).map(([name, value]) => ({ name, value }));
      return admin.patch(`${archive.records}/documents/${id}/indexdata`, { indexFields });
    };
    await archive.put(FIELDS, { checks: [SMALL] });
    await counts({ SMALL: 0 });
    // A rule is counted in the same way on both; duplicates have statements of their own on PostgreSQL.
    const isOnlyDuplicates = dialect === 'postgres' && !IS_LONG_RUN;
    for (const other of isOnlyDuplicates ? OTHERS.slice(1) : OTHERS) {
      const { name } = other;
      held.mockClear();
      isHeld = true;
      await archive.put(FIELDS, { checks: [SMALL, other] });
      await vi.waitFor(() => expect(held).toHaveBeenCalledOnce(), WAIT_LIMIT);
      await save(2, { NO: 'a', SIZE: 11 });
      await counts({ SMALL: 1, [name]: null });
      release();
      await counts({ SMALL: 1, [name]: name === 'EVEN' ? 3 : 2 });
      await save(2, { NO: 'b', SIZE: 2 });
      await counts({ SMALL: 0, [name]: name === 'EVEN' ? 2 : 0 });
    }
  });

  it('evaluate look-ups again only after changes of the column that they name', async () => {
    const { database, reads } = recordStatements(await open());
    const t = await openApp(() => Promise.resolve(database));
    const columns = [{ name: 'NAME' }, { name: 'CITY' }];
    const suppliers = await buildTable(t.database, columns, 'SUPPLIERS');
    await buildRecords(t.database, suppliers, [['Acme', 'Rome']]);
    const checks = [{ name: 'KNOWN', rule: 'SELLER in SUPPLIERS.NAME' }];
    const archive = await buildArchive(t.database, [{ name: 'SELLER' }], [], { checks });
    await buildRecords(t.database, archive, [['Acme'], ['Bolt']]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const admin = await t.signedIn('admin');
    const count = async () => {
      const { body } = await admin.get(`${archivePath(archive)}/checks`);
      return checksAnswer.parse(body).checks.find(({ name }) => name === 'KNOWN')?.count;
    };
    const state = () =>
      t.database.read((db) =>
        db.k.selectFrom('check_states').selectAll().where('name', '=', 'KNOWN').execute(),
      );
    await expect.poll(count).toBe(1);
    const counted = await state();
    const change = (dataset: object) => admin.put(`${datasetsPath(suppliers)}/1`, { dataset });
    expect((await change({ NAME: 'Acme', CITY: '"name":"NAME"' })).status).toBe(200);
    await historyFollowed(t.database);
    expect(await state()).toEqual(counted);
    expect((await change({ NAME: 'Other', CITY: 'Rome' })).status).toBe(200);
    await expect.poll(count).toBe(2);
    const added = await admin.post(datasetsPath(suppliers), { dataset: { NAME: 'Bolt' } });
    expect(added.status).toBe(200);
    await expect.poll(count).toBe(1);
    const datasets = [{ jrid: 2 }];
    expect((await admin.delete(datasetsPath(suppliers), { datasets })).status).toBe(204);
    await expect.poll(count).toBe(2);
    // It may take longer than a request.
    expect(reads.filter(({ text }) => text.includes('changes like'))).toEqual([]);
  });
});

describeOnOneDatabase('the rules of fields', (open) => {
  it('find stored values against patterns with flags and classes of Unicode', async () => {
    const t = await openApp(open);
    const pattern = '(?i)[\\pL]{2}-\\d+\\b.{0,300}';
    const archive = await buildArchive(t.database, [{ name: 'CODE', type: 'text', pattern }]);
    await buildRecords(t.database, archive, [['äß-12 x'], ['A-12'], ['AB-12c'], [null]]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const admin = await t.signedIn('admin');
    const { records } = new ArchiveAdministration(admin, archive.name);
    expect(await admin.get(`${records}/index/ids?where[check][eq]=_rules`)).toMatchObject({
      body: { revisionIds: ['2', '3'] },
    });
  });
});
