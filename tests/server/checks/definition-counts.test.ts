/** @module-tag slow */
import { beforeEach, expect, it } from 'vitest';
import { definedTablesAnswer } from '#shared/contract/configuration-definitions.ts';
import { checksAnswer } from '#shared/contract/check-answers.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildRecords, buildTable } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';

const FIELDS = [{ name: 'NO', type: 'text' }];
const LONG = { name: 'LONG', rule: "not NO = '' and length(NO) > 5" };

describeOnOneDatabase('the counts of checks and changes of the definition', (open) => {
  let t: TestApp;
  let admin: TestClient;
  let archive: ArchiveAdministration;
  beforeEach(async () => {
    t = await openApp(open);
    const built = await buildArchive(t.database, FIELDS, [], { checks: [LONG] });
    await buildRecords(t.database, built, [['a'], ['b'], ['c']]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    admin = await t.signedIn('admin');
    archive = new ArchiveAdministration(admin, built.name);
  });
  const define = async (...checks: unknown[]) =>
    expect((await archive.put(FIELDS, { checks })).status).toBe(200);
  const except = async (id: number, check: string) => {
    const path = `${archive.records}/documents/${id}/exceptions/${check}`;
    expect((await admin.put(path, { reason: 'so it is' })).status).toBe(200);
  };
  const countOf = async (name: string) => {
    const { checks } = checksAnswer.parse((await admin.get(`${archive.records}/checks`)).body);
    return checks.find((check) => check.name === name)?.count;
  };

  it('agree where an exception ended although the check is the same again', async () => {
    await except(1, 'LONG');
    await expect.poll(() => countOf('LONG')).toBe(2);
    await define();
    await define(LONG);
    await expect.poll(() => countOf('LONG')).toBe(3);
  });

  it('agree where a rule was only written otherwise, which ends its exceptions', async () => {
    await except(1, 'LONG');
    await expect.poll(() => countOf('LONG')).toBe(2);
    await define({ ...LONG, rule: 'not NO = null and length(NO) > 5' });
    await expect.poll(() => countOf('LONG')).toBe(3);
  });

  const putTable = async (guid: string, columns: readonly object[], query = '') => {
    const path = `configuration/tables/${guid}`;
    const { tables } = definedTablesAnswer.parse((await admin.get(path)).body);
    const body = { table: { ...tables[0], columns }, onMisfit: 'keep' };
    const headers = { 'if-match': `"${tables[0]?.version}"` };
    return admin.put(path + query, body, { headers });
  };

  it('agree where the column that a rule looks up was converted', async () => {
    const table = await buildTable(t.database, [{ name: 'HALF', type: 'decimal' }], 'SIZES');
    await buildRecords(t.database, table, [[1.5]]);
    await define({ name: 'KNOWN', rule: 'length(NO) + 0.5 in SIZES.HALF' });
    await expect.poll(() => countOf('KNOWN')).toBe(0);
    expect((await putTable(table.guid, [{ name: 'HALF', type: 'integer' }])).status).toBe(200);
    await expect.poll(() => countOf('KNOWN')).toBe(3);
  });

  it('stay, as a change of a table that makes a rule of another definition invalid is refused', async () => {
    const columns = [{ name: 'NAME' }, { name: 'SIZE', type: 'integer' }];
    const table = await buildTable(t.database, columns, 'SIZES');
    await define({ name: 'KNOWN', rule: 'length(NO) in SIZES.SIZE' });
    const changed = [
      { name: 'NAME', type: 'text' },
      { name: 'SIZE', type: 'text' },
    ];
    for (const query of ['', '?dryRun=true']) {
      expect(await putTable(table.guid, changed, query)).toMatchObject({
        status: 422,
        body: {
          errors: { '-': [expect.stringMatching(`${archive.table}.*checks.KNOWN.rule.*text`)] },
        },
      });
    }
    const renamed = [
      { name: 'NAME', type: 'text' },
      { name: 'LENGTH', type: 'integer', renamedFrom: 'SIZE' },
    ];
    expect((await putTable(table.guid, renamed)).status).toBe(200);
    expect((await archive.get()).checks).toMatchObject([{ rule: 'length(NO) in SIZES.LENGTH' }]);
    expect((await putTable(table.guid, renamed.slice(0, 1))).status).toBe(200);
  });

  it('agree where the name of a check has other letters, which keeps its exceptions', async () => {
    await except(1, 'LONG');
    await define({ ...LONG, name: 'Long' });
    await expect.poll(() => countOf('Long')).toBe(2);
    expect((await admin.get(`${archive.records}/documents/1`)).body).toMatchObject({
      meta: { exceptions: [{ check: 'Long', reason: 'so it is' }] },
    });
  });

  it('agree where the rules of a field changed, which ends the exceptions of the built-in check', async () => {
    const rules = async (of: object) =>
      expect((await archive.put([{ ...FIELDS[0], ...of }], { onMisfit: 'keep' })).status).toBe(200);
    await rules({ pattern: '[bc]' });
    await except(1, '_rules');
    await rules({ pattern: '[bc]', name: 'CODE', renamedFrom: 'NO' });
    await expect.poll(() => countOf('_rules')).toBe(0);
    await rules({ name: 'CODE', pattern: '[cd]' });
    await expect.poll(() => countOf('_rules')).toBe(2);
  });
});
