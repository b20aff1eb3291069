import { streamXlsxRows } from 'hucre/xlsx';
import { beforeAll, expect, it } from 'vitest';
import type { Table } from '#server/database/records/collection.ts';
import { importInspectionAnswer } from '#shared/contract/imports.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildRecords, buildTable, datasetsPath, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { formOf } from '#tests/support/forms.ts';

describeOnOneDatabase('spreadsheets of data tables', (open) => {
  let t: TestApp;
  let table: Table;
  let clerk: TestClient;
  let reader: TestClient;
  let path: string;
  beforeAll(async () => {
    t = await openApp(open);
    table = await buildTable(t.database, [
      { name: 'sno', label: 'Number', unique: true },
      { name: 'limit', label: 'Limit', type: 'decimal' },
      { name: 'since', type: 'date' },
    ]);
    await buildRecords(t.database, table, [
      ['=A1', 1234.5, '2024-03-12'],
      ['S-2', -3, null],
      ['S-3', null, null],
    ]);
    await buildUser(t.database, { rights: [rightOn(table, 'write')] });
    await buildUser(t.database, { username: 'reader', rights: [rightOn(table, 'read')] });
    await buildUser(t.database, { username: 'stranger' });
    clerk = await t.signedIn('clerk');
    reader = await t.signedIn('reader');
    path = datasetsPath(table);
  });

  it('are written of what is filtered, in order, with jrid and version', async () => {
    const answer = await reader.get(`${path}/export?where[jrid][lte]=2&sort=-jrid`);
    expect(answer.headers['content-disposition']).toContain(`${table.name}.xlsx`);
    const rows: unknown[][] = [];
    for await (const { values } of streamXlsxRows(answer.bytes)) rows.push(values);
    expect(rows).toEqual([
      ['jrid', 'Version', 'Number', 'Limit', 'since'],
      [2, 1, 'S-2', -3, null],
      [1, 1, '=A1', 1234.5, new Date('2024-03-12')],
    ]);
    const csv = await reader.get(`${path}/export?format=csv&columns=limit,SNO&headers=names`);
    expect(csv.text).toBe(
      "\ufeffjrid,Version,limit,sno\r\n1,1,1234.5,'=A1\r\n2,1,-3,S-2\r\n3,1,,S-3\r\n",
    );
    for (const [query, parameter] of [
      ['columns=nothing', 'columns'],
      ['fields=sno', 'fields'],
      ['format=pdf', 'format'],
    ] as const) {
      const refused = await reader.get(`${path}/export?${query}`);
      expect(refused.status).toBe(400);
      expect(refused.body).toHaveProperty(['errors', parameter]);
    }
    const stranger = await t.signedIn('stranger');
    expect((await stranger.get(`${path}/export`)).status).toBe(404);
  });

  it('are looked through before they are imported', async () => {
    const inspect = (client: TestClient) =>
      send(client, 'imports/inspections', 'number;SINCE\r\nS-4;03/04/2024\r\n');
    const answer = await inspect(clerk);
    expect(importInspectionAnswer.parse(answer.body).imports).toMatchObject([
      {
        rows: 1,
        versions: false,
        columns: [
          { header: 'number', column: { as: 'field', field: 'sno' }, question: null },
          { column: { as: 'field', field: 'since' }, question: { about: 'order' } },
        ],
      },
    ]);
    expect((await inspect(reader)).status).toBe(403);
  });

  function send(client: TestClient, to: string, csv: string, fields: [string, string][] = []) {
    const form = formOf([...fields, ['files[0]', { name: 'datasets.csv', bytes: csv }]]);
    const at = `application/dataapp/tables/${table.guid}/${to}`;
    return client.post(at, form.body, { headers: form.headers });
  }
});
