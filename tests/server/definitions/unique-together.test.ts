import { expect, it } from 'vitest';
import { buildUser, openApp } from '#tests/support/app.ts';
import { planAnswer } from '#shared/contract/configuration-definitions.ts';
import { buildRecords, buildTable } from '#tests/support/builders.ts';
import { describeOnBothDatabases, describeOnOneDatabase } from '#tests/support/databases.ts';

describeOnBothDatabases('columns that are unique together', (open) => {
  it('are refused where values are the same, also with onMisfit, and counted where all have a value', async () => {
    const t = await openApp(open);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const admin = await t.signedIn('admin');
    const table = await buildTable(t.database, [{ name: 'SNO' }, { name: 'INVOICE' }]);
    const path = `configuration/tables/${table.guid}`;
    const datasets = `application/dataapp/tables/${table.guid}/datasets`;
    const add = (SNO: string, INVOICE: string | null) =>
      admin.post(datasets, { dataset: { SNO, INVOICE } });
    for (const [sno, invoice] of [
      ['1', 'a'],
      ['1', 'b'],
      ['1', 'a'],
      ['1', null],
      ['1', null],
    ] as const) {
      expect((await add(sno, invoice)).status).toBe(200);
    }
    const columns = [
      { name: 'SNO', type: 'text' },
      { name: 'INVOICE', type: 'text' },
    ];
    const put = (query = '') =>
      admin.put(
        path + query,
        {
          table: { name: table.name, columns, uniqueTogether: [['SNO', 'INVOICE']] },
          onMisfit: 'keep',
        },
        { headers: { 'if-match': '*' } },
      );
    expect(await put()).toMatchObject({
      status: 409,
      body: { code: 'definition_conflict', plan: { changes: [{ affected: 3, misfits: 2 }] } },
    });
    expect((await admin.delete(datasets, { datasets: [{ jrid: 3 }] })).status).toBe(204);
    expect((await put('?dryRun=true')).body).toMatchObject({
      plan: { changes: [{ properties: ['uniqueTogether'], affected: 2, misfits: 0 }], safe: true },
    });
    expect((await put()).status).toBe(200);
    expect(await add('1', 'b')).toMatchObject({
      status: 409,
      body: { errors: { 'dataset.SNO': [expect.any(String)] } },
    });
    expect((await add('2', 'b')).status).toBe(200);
    const twice = {
      datasets: [
        { SNO: '3', INVOICE: 'x' },
        { SNO: '3', INVOICE: 'x' },
      ],
    };
    expect((await admin.post(datasets, twice)).status).toBe(409);
    const [one, other] = await Promise.all([add('4', 'y'), add('4', 'y')]);
    expect([one.status, other.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
  });
});

describeOnOneDatabase('columns that become unique together in the same change', (open) => {
  const text = (name: string) => ({ name, type: 'text' });
  const setUp = async (rows: readonly (readonly string[])[]) => {
    const t = await openApp(open);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const admin = await t.signedIn('admin');
    const table = await buildTable(t.database, [{ name: 'SNO' }, { name: 'INVOICE' }]);
    await buildRecords(t.database, table, rows);
    const path = `configuration/tables/${table.guid}`;
    const wanted = (columns: readonly object[], uniqueTogether: readonly string[]) => ({
      table: { name: table.name, columns, uniqueTogether: [uniqueTogether] },
    });
    const headers = { 'if-match': '*' };
    return {
      put: (...of: Parameters<typeof wanted>) => admin.put(path, wanted(...of), { headers }),
      plan: async (...of: Parameters<typeof wanted>) => {
        const { body } = await admin.put(`${path}?dryRun=true`, wanted(...of));
        return planAnswer.parse(body).plan;
      },
      misfits: async (...of: Parameters<typeof wanted>) =>
        Object(await admin.post(`${path}/misfits`, wanted(...of))).body,
    };
  };
  const whole = (changes: readonly { field: string | null }[]) =>
    changes.filter(({ field }) => field === null);

  it('are accepted with a new column, which has no values', async () => {
    const table = await setUp([
      ['1', 'a'],
      ['1', 'a'],
    ]);
    const change = [
      [text('SNO'), text('INVOICE'), text('YEAR')],
      ['SNO', 'YEAR'],
    ] as const;
    expect(await table.plan(...change)).toMatchObject({ safe: true });
    expect(await table.misfits(...change)).toEqual({ jrids: [] });
    expect(await table.put(...change)).toMatchObject({ status: 200 });
  });

  it('are compared as they are converted', async () => {
    const rows = [
      ['1', 'a'],
      ['2', 'a'],
      ['3', 'b'],
    ];
    const table = await setUp(rows);
    const change = [
      [{ name: 'SNO', type: 'integer' }, text('INVOICE')],
      ['SNO', 'INVOICE'],
    ] as const;
    const { changes, safe } = await table.plan(...change);
    expect([safe, whole(changes)]).toMatchObject([true, [{ affected: 3, misfits: 0 }]]);
    expect(await table.misfits(...change)).toEqual({ jrids: [] });
    expect(await table.put(...change)).toMatchObject({ status: 200 });

    const other = await setUp([[' 1', 'a'], ...rows]);
    const examples = [1, 2].map((id) => ({ id: String(id), value: '1, a' }));
    expect(whole((await other.plan(...change)).changes)).toMatchObject([
      { affected: 4, misfits: 2, examples },
    ]);
    expect(await other.misfits(...change)).toEqual({ jrids: ['1', '2'] });
    expect(await other.put(...change)).toMatchObject({
      status: 409,
      body: { code: 'definition_conflict' },
    });
  });
});
