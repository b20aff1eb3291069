/** @module-tag slow */
import { expect, it } from 'vitest';
import {
  definedTablesAnswer,
  definitionHistoryAnswer,
} from '#shared/contract/configuration-definitions.ts';
import { openFileStore } from '#server/modules/files/open-file-store.ts';
import { sequenceAllEntries } from '#server/modules/history/history.service.ts';
import { verifyInstallation } from '#server/modules/verification/verification.service.ts';
import { buildUser, openApp } from '#tests/support/app.ts';
import { buildTable } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';

describeOnOneDatabase('the history of changed definitions', (_, { open, prepare }) => {
  it('leads to every record, over names, conversions and retired columns', async () => {
    const config = await prepare();
    const t = await openApp(() => open(config), { dataDir: config.dataDir });
    const built = await buildTable(t.database, [
      { name: 'NO', type: 'text' },
      { name: 'SUM', type: 'text' },
      { name: 'NOTE', type: 'text' },
    ]);
    await buildUser(t.database, { username: 'admin', role: 'administrator' });
    const admin = await t.signedIn('admin');
    const datasets = `application/dataapp/tables/${built.guid}/datasets`;
    const path = `configuration/tables/${built.guid}`;
    const save = async (jrid: number, dataset: object) => {
      expect(await admin.put(`${datasets}/${jrid}`, { dataset })).toMatchObject({ status: 200 });
    };
    const change = async (columns: object[], onMisfit?: 'keep') => {
      const [table] = definedTablesAnswer.parse((await admin.get(path)).body).tables;
      const sent = { table: { ...table, columns }, ...(onMisfit && { onMisfit }) };
      const headers = { 'if-match': `"${table?.version}"` };
      expect(await admin.put(path, sent, { headers })).toMatchObject({ status: 200 });
    };
    const rows = ['1,5', '2', 'none', null].map((SUM, i) => ({ NO: `N${i}`, SUM, NOTE: 'n' }));
    expect(await admin.post(datasets, { datasets: rows })).toMatchObject({ status: 200 });
    await save(1, { SUM: '1,75', NOTE: 'changed' });
    const NO = { name: 'NO', type: 'text' };
    const SUM = { name: 'SUM', type: 'decimal', scale: 2, readAs: 'de-DE' };
    await change([{ name: 'NUMBER', type: 'text', renamedFrom: 'NO' }, SUM], 'keep');
    await save(1, { SUM: 3.25, NUMBER: 'X' });
    await save(3, { SUM: 4 });
    const deleted = await admin.delete(datasets, { datasets: [{ jrid: 2 }] });
    expect(deleted).toMatchObject({ status: 204 });
    const listed = await admin.get(`${datasets}/2/history`);
    expect(listed.body).toMatchObject({
      history: [{ changes: [{ name: 'NUMBER' }, { name: 'SUM' }] }, {}],
    });
    await change([NO, { name: 'NUMBER', type: 'text' }, SUM, { name: 'NOTE', type: 'text' }]);
    await save(1, { NO: 'new', NOTE: 'again' });
    await change([NO, { name: 'NUMBER', type: 'text' }, { name: 'SUM', type: 'text' }]);
    await save(4, { SUM: 'text again' });
    // Reverts, with values that were changed, deleted and added after the conversion.
    const revert = async () => {
      const { body } = await admin.get(`${path}/history`);
      const [newest] = definitionHistoryAnswer.parse(body).history;
      const answer = await admin.post(`${path}/history/${newest?.historyId}/revert`);
      expect(answer).toMatchObject({ status: 200 });
    };
    for (const onMisfit of ['keep', undefined] as const) {
      await admin.post(datasets, { datasets: [{ SUM: ' 7 ' }, { SUM: '8.50' }, { SUM: '9' }] });
      if (onMisfit) await save(3, { SUM: 'text' });
      else await save(3, { SUM: '6' });
      await save(4, { SUM: onMisfit ? 'other' : '5' });
      await change([NO, { name: 'NUMBER', type: 'text' }, { ...SUM, readAs: null }], onMisfit);
      await save(4, { SUM: 5.5 });
      await admin.post(datasets, { datasets: [{ SUM: 1 }, { SUM: null }] });
      await admin.delete(datasets, { datasets: [{ jrid: onMisfit ? 5 : 10 }] });
      await revert();
      await save(3, { SUM: onMisfit ? '4' : '7' });
      // The revert, and the revert of that one.
      await revert();
      await save(4, { SUM: 6 });
      await revert();
      await save(3, { SUM: onMisfit ? 'again' : '7' });
    }
    await t.app.close();

    await sequenceAllEntries(t.database);
    const found: string[] = [];
    await verifyInstallation(
      t.database,
      config,
      openFileStore({ ...config, files: undefined }),
      { contents: false, deep: false, since: null },
      { progress: () => undefined, info: () => undefined, fail: (line) => found.push(line) },
    );
    expect(found).toEqual([]);
  });
});
