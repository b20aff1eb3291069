/** @module-tag slow */
import { beforeEach, expect, it } from 'vitest';
import {
  definedTablesAnswer,
  definitionHistoryAnswer,
} from '#shared/contract/configuration-definitions.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildTable } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { ArchiveAdministration } from '../../support/definitions-client.ts';

describeOnOneDatabase('checks in a definition', (open) => {
  let t: TestApp;
  let admin: TestClient;
  let archive: ArchiveAdministration;
  const FIELDS = [
    { name: 'NET', type: 'decimal' },
    { name: 'VAT', type: 'decimal' },
    { name: 'TOTAL', type: 'decimal' },
    { name: 'SUPPLIER', type: 'text' },
  ];
  const SUM = { name: 'SUM', label: 'The sum is wrong', rule: 'NET + VAT = TOTAL' };
  const KNOWN = { name: 'KNOWN', rule: 'SUPPLIER in SUPPLIERS.NAME' };
  beforeEach(async () => {
    t = await openApp(open);
    const built = await buildArchive(t.database, FIELDS);
    await buildTable(t.database, [{ name: 'NAME', type: 'text' }], 'SUPPLIERS');
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    admin = await t.signedIn('admin');
    archive = new ArchiveAdministration(admin, built.name);
  });
  const problemsOf = async (...checks: unknown[]) => {
    const { status, body } = await archive.put(FIELDS, { checks });
    return { status, body };
  };

  it('are planned, stored, exported, and stay where a change does not name them', async () => {
    const checks = [SUM, KNOWN];
    const plan = await archive.plan(FIELDS, { checks, checksOff: ['_outlier'] });
    expect(plan).toMatchObject({
      safe: true,
      changes: [{ kind: 'change', field: null, properties: ['checks', 'checksOff'] }],
    });
    expect((await archive.put(FIELDS, { checks, checksOff: ['_outlier'] })).status).toBe(200);
    const stored = [
      { ...SUM, severity: 'warn' },
      { ...KNOWN, label: 'KNOWN', severity: 'warn' },
    ];
    expect(await archive.get()).toMatchObject({ checks: stored, checksOff: ['_outlier'] });
    const exported = await admin.get(`${archive.path}/export`);
    expect(exported.body).toMatchObject({ archives: [{ checks: stored }] });

    const described = await archive.plan(FIELDS, {
      checks: [{ ...SUM, label: 'Net and VAT do not give the total' }, KNOWN],
    });
    expect(described.changes).toMatchObject([{ kind: 'describe', properties: ['checks'] }]);
    expect((await archive.plan(FIELDS, { checks: undefined })).changes).toEqual([]);
    expect((await archive.put(FIELDS, { checks: [] })).status).toBe(200);
    expect((await archive.get()).checks).toBeUndefined();
    const { body } = await admin.get(`${archive.path}/history`);
    expect(body).toMatchObject({
      history: [
        {
          changes: expect.arrayContaining([
            { name: 'checks.SUM', before: { ...SUM, severity: 'warn' }, after: null },
          ]),
        },
        {},
        {},
      ],
    });
    const { history } = definitionHistoryAnswer.parse(body);
    const newest = history[0]?.historyId ?? '';
    expect((await admin.post(`${archive.path}/history/${newest}/revert`, undefined)).status).toBe(
      200,
    );
    expect((await archive.get()).checks).toEqual(stored);
  });

  it('are refused with the place and what was expected', async () => {
    expect(await problemsOf({ ...SUM, rule: 'NET +\n VATT = TOTAL' })).toMatchObject({
      status: 422,
      body: { errors: { 'checks.SUM.rule': [expect.stringMatching(/^Line 2, column 2: .*VATT/)] } },
    });
    expect(await problemsOf({ ...KNOWN, rule: 'SUPPLIER in SUPPLIERS.NAMES' })).toMatchObject({
      status: 422,
    });
    expect(await problemsOf({ ...SUM, fields: ['GROSS'] })).toMatchObject({
      body: { errors: { 'checks.SUM.fields': [expect.stringContaining('GROSS')] } },
    });
    const twice = { name: 'TWICE', duplicates: [['SUPPLIER', 'TOTAL']], ignore: ['case'] };
    expect((await problemsOf(twice)).status).toBe(200);
    for (const wrong of [
      { ...twice, severity: 'block' },
      { ...twice, rule: 'NET > 0' },
      { name: 'EMPTY' },
      { ...SUM, ignore: ['case'] },
      { ...SUM, name: '_sum' },
    ]) {
      expect(await problemsOf(wrong)).toMatchObject({ status: 422 });
    }
    expect((await problemsOf(SUM, { ...SUM, name: 'sum' })).status).toBe(422);
    const check = [...FIELDS, { name: 'check', type: 'text' }];
    expect((await archive.put(check)).status).toBe(422);
  });

  it('follow the names of fields, tables and columns, and keep their fields in use', async () => {
    await archive.put(FIELDS, { checks: [{ ...SUM, fields: ['net'] }, KNOWN] });
    const answer = await admin.get(`${archive.records}/checks`);
    expect(answer.body).toMatchObject({
      checks: expect.arrayContaining([expect.objectContaining({ name: 'SUM', fields: ['NET'] })]),
    });
    const [net, ...others] = FIELDS;
    const renamed = [{ ...net, name: 'AMOUNT', renamedFrom: 'NET' }, ...others];
    expect((await archive.put(renamed, { checks: undefined })).status).toBe(200);
    expect((await archive.get()).checks).toMatchObject([
      { rule: 'AMOUNT + VAT = TOTAL', fields: ['AMOUNT'] },
      {},
    ]);
    const without = [{ name: 'AMOUNT', type: 'decimal' }, ...others.slice(1)];
    const refused = await archive.put(without, { checks: undefined });
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: { 'checks.SUM.rule': [expect.stringContaining('VAT')] } },
    });
    const { body } = await admin.get('configuration/tables');
    const [table] = definedTablesAnswer.parse(body).tables;
    const put = await admin.put(
      `configuration/tables/${table?.guid}`,
      {
        table: {
          ...table,
          name: 'PARTNERS',
          columns: [{ name: 'FIRM', type: 'text', renamedFrom: 'NAME' }],
        },
      },
      { headers: { 'if-match': `"${table?.version}"` } },
    );
    expect(put.status).toBe(200);
    expect((await archive.get()).checks).toMatchObject([{}, { rule: 'SUPPLIER in PARTNERS.FIRM' }]);
  });

  it('do not stop other changes where a table that they name was retired', async () => {
    await archive.put(FIELDS, { checks: [SUM, KNOWN] });
    const { body } = await admin.get('configuration/tables');
    const [table] = definedTablesAnswer.parse(body).tables;
    expect((await admin.delete(`configuration/tables/${table?.guid}`)).status).toBe(204);
    expect((await archive.put(FIELDS, { description: 'Without the table' })).status).toBe(200);
    expect(await problemsOf(SUM, { ...KNOWN, rule: 'SUPPLIER in SUPPLIERS.FIRM' })).toMatchObject({
      status: 422,
      body: { errors: { 'checks.KNOWN.rule': [expect.stringContaining('SUPPLIERS')] } },
    });
    expect((await archive.put(FIELDS.slice(1))).status).toBe(422);
    expect((await admin.post(`configuration/tables/${table?.guid}/restore`)).status).toBe(200);
    const found = await admin.get(`${archive.records}/index/count?where[check][eq]=KNOWN`);
    expect(found).toMatchObject({ status: 200, body: { count: 0 } });
  });
});
