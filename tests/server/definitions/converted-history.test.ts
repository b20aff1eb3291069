import { beforeEach, expect, it } from 'vitest';
import type { Table } from '#server/database/records/collection.ts';
import { datasetsAnswer, historyAnswer } from '#shared/contract/answers.ts';
import { auditAnswer, auditEntryAnswer } from '#shared/contract/audit.ts';
import {
  definedTablesAnswer,
  definitionHistoryAnswer,
} from '#shared/contract/configuration-definitions.ts';
import { buildUser, openApp, type TestApp, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildTable, datasetsPath } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

describeOnOneDatabase('the history of a field whose type was changed', (open) => {
  let t: TestApp;
  let table: Table;
  let admin: TestClient;
  let datasets: string;
  beforeEach(async () => {
    t = await openApp(open);
    table = await buildTable(t.database, [{ name: 'D' }, { name: 'E' }]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    admin = await t.signedIn('admin');
    datasets = datasetsPath(table);
  });
  const create = async (dataset: object) => {
    const { body } = await admin.post(datasets, { dataset });
    return datasetsAnswer.parse(body).datasets[0]?.jrid ?? '';
  };
  const change = async (jrid: string, dataset: object) => {
    expect(await admin.put(`${datasets}/${jrid}`, { dataset })).toMatchObject({ status: 200 });
  };
  /** Changes the type of the first column. */
  const convert = async (to: object, onMisfit?: 'keep') => {
    const path = `configuration/tables/${table.guid}`;
    const [found] = definedTablesAnswer.parse((await admin.get(path)).body).tables;
    const columns = found?.columns.map((column, i) => (i === 0 ? { ...column, ...to } : column));
    const answer = await admin.put(
      path,
      { table: { ...found, columns }, ...(onMisfit && { onMisfit }) },
      { headers: { 'if-match': '*' } },
    );
    expect(answer.status).toBe(200);
  };
  const history = async (jrid: string) =>
    historyAnswer.parse((await admin.get(`${datasets}/${jrid}/history`)).body).history;
  const opened = async (historyId: string | undefined) => {
    const { body } = await admin.get(`configuration/audit/${historyId}`);
    return auditEntryAnswer.parse(body);
  };
  const found = async (query: string) => {
    const { body } = await admin.get(`configuration/audit?kind=data&table=${table.guid}&${query}`);
    return auditAnswer.parse(body).entries.length;
  };

  it('has what was entered before, under its present name', async () => {
    const jrid = await create({ D: '31.12.2024', E: 'e' });
    await change(jrid, { D: '01.01.2025' });
    await convert({ type: 'date', readAs: 'de-DE' });
    await change(jrid, { D: '2025-01-02' });
    const entries = await history(jrid);
    expect(entries.map(({ changes }) => changes)).toEqual([
      [{ name: 'D', before: '2025-01-01', after: '2025-01-02' }],
      [{ name: 'D', before: '31.12.2024', after: '01.01.2025' }],
      [
        { name: 'D', before: null, after: '31.12.2024' },
        { name: 'E', before: null, after: 'e' },
      ],
    ]);
    await convert({ type: 'text', readAs: null });
    expect(await history(jrid)).toEqual(entries);
    const values = [];
    for (const { historyId, changes } of entries) {
      const { entries: audited, record } = await opened(historyId);
      expect(audited[0]?.changes).toEqual(changes);
      values.push(record?.values);
    }
    const record = (D: string) => [
      { name: 'D', value: D },
      { name: 'E', value: 'e' },
    ];
    expect(values).toEqual([record('2025-01-02'), record('01.01.2025'), record('31.12.2024')]);
    expect(await found('field=D')).toBe(3);
    expect(await found('field=D&value=31.12.')).toBe(2);
  });

  it('names each field once where the original was kept', async () => {
    const jrid = await create({ D: 'none', E: 'e' });
    await convert({ type: 'integer' }, 'keep');
    await change(jrid, { D: 5 });
    const [changed, created] = await history(jrid);
    expect(created?.changes.map(({ name }) => name)).toEqual(['E']);
    expect((await opened(created?.historyId)).record?.values).toEqual([
      { name: 'E', value: 'e' },
      { name: 'D_before_1', value: 'none' },
    ]);
    expect((await opened(changed?.historyId)).record?.values).toEqual([
      { name: 'D', value: 5 },
      { name: 'E', value: 'e' },
      { name: 'D_before_1', value: 'none' },
    ]);
  });

  it('names each field once after the type was changed back', async () => {
    const jrid = await create({ D: 'none', E: 'e' });
    await convert({ type: 'integer' }, 'keep');
    await change(jrid, { E: 'changed' });
    const path = `configuration/tables/${table.guid}/history`;
    const [conversion] = definitionHistoryAnswer.parse((await admin.get(path)).body).history;
    expect(await admin.post(`${path}/${conversion?.historyId}/revert`)).toMatchObject({
      status: 200,
    });
    await change(jrid, { E: 'again' });
    const entries = await history(jrid);
    expect(entries.at(-1)?.changes[0]).toEqual({ name: 'D', before: null, after: 'none' });
    const values = [];
    for (const { historyId } of entries) values.push((await opened(historyId)).record?.values);
    expect(values).toEqual(
      [
        ['none', 'again'],
        [null, 'changed'],
        ['none', 'e'],
      ].map(([D, E]) => [
        { name: 'D', value: D },
        { name: 'E', value: E },
      ]),
    );
  });

  it('can be undone, but not to a value that the type cannot hold', async () => {
    const [deleted, number, text] = [
      await create({ D: '1.500', E: 'deleted' }),
      await create({ D: '1,5' }),
      await create({ D: 'none' }),
    ];
    await change(number, { D: '2' });
    await change(text, { D: '3' });
    await admin.delete(datasets, { datasets: [{ jrid: deleted }] });
    await convert({ type: 'decimal', scale: 2, readAs: 'de-DE' });
    const undo = async (jrid: string) => {
      const [newest] = await history(jrid);
      return admin.post(`${datasets}/undo`, { historyIds: [newest?.historyId] });
    };
    expect((await undo(deleted)).body).toMatchObject({ datasets: [{ D: 1500, E: 'deleted' }] });
    expect((await undo(number)).body).toMatchObject({ datasets: [{ D: 1.5 }] });
    expect(await undo(text)).toMatchObject({
      status: 422,
      body: { errors: { 'datasets.0': [/D/] } },
    });
    expect((await admin.get(`${datasets}/${text}`)).body).toMatchObject({ datasets: [{ D: 3 }] });
  });

  it('names the fields of rights', async () => {
    const archive = await buildArchive(t.database, [{ name: 'NO' }], ['TAG']);
    const grant = async (rights: object) =>
      admin.patch('configuration/users/clerk', { user: { rights } });
    await buildUser(t.database);
    const fields = { D: 'hidden', E: 'read' };
    await grant({ tables: { [table.guid]: { right: 'write', fields } } });
    await convert({ type: 'integer' });
    const tags = { right: 'read', fields: { 'keyword.TAG': 'hidden' } };
    await grant({ tables: { [table.guid]: 'read' }, archives: { [archive.name]: tags } });
    const { body } = await admin.get('configuration/audit?kind=access&limit=2');
    const [second, first] = auditAnswer.parse(body).entries;
    expect(first?.changes).toEqual([
      { name: `right.table.${table.name}`, before: null, after: { right: 'write', fields } },
    ]);
    expect(second?.changes).toEqual(
      expect.arrayContaining([
        { name: `right.table.${table.name}`, before: { right: 'write', fields }, after: 'read' },
        { name: `right.archive.${archive.name}`, before: null, after: tags },
      ]),
    );
  });
});
