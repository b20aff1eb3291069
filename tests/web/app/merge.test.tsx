/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { Archive, Table } from '#server/database/records/collection.ts';
import { checksAnswer } from '#shared/contract/check-answers.ts';
import { definedTablesAnswer } from '#shared/contract/configuration-definitions.ts';
import { isDisabled } from '#tests/support/is-disabled.ts';
import { buildUser, openApp, PASSWORD, type TestClient } from '#tests/support/app.ts';
import {
  archivePath,
  buildArchive,
  buildRecords,
  buildTable,
  datasetsPath,
  rightOn,
} from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';

const service = await openApp(testDatabases('sqlite').open);
await buildUser(service.database, { username: 'anna', role: 'administrator' });
const admin: TestClient = await service.signedIn('anna');

const CHECKS = [
  { name: 'TWICE', label: 'Same name', duplicates: [['NAME']], ignore: ['case', 'punctuation'] },
];
let table: Table;
let archive: Archive;
beforeEach(async () => {
  table = await buildTable(
    service.database,
    [
      { name: 'NO', label: 'Number', unique: true },
      { name: 'NAME', label: 'Name' },
      { name: 'CITY', label: 'City' },
    ],
    undefined,
    { checks: CHECKS },
  );
  const optionsFrom = { table: table.name, column: 'NO', fills: {} };
  archive = await buildArchive(service.database, [
    { name: 'SNO', label: 'Supplier number', optionsFrom },
  ]);
  await buildRecords(service.database, table, [
    ['10', 'Acme', null],
    ['11', 'ACME.', 'Bonn'],
    ['20', 'Bolt', 'Kiel'],
  ]);
  await buildRecords(service.database, archive, [['10'], ['11'], ['20']]);
});

const counted = (count: number) =>
  vi.waitFor(async () => {
    const path = `application/dataapp/tables/${table.guid}/checks`;
    const { checks } = checksAnswer.parse((await admin.get(path)).body);
    expect(checks[0]).toMatchObject({ name: 'TWICE', count });
  });
const open = async (username = 'anna', count = 2) => {
  await counted(count);
  const page = await renderApp(service.app, `/tables/${table.guid}/duplicates/TWICE`, {
    as: { username, password: PASSWORD },
  });
  await screen.findByText('Group 1 of 1', { selector: '[role=status]' });
  await within(screen.getByRole('table')).findByText('ACME.');
  return page;
};
const stored = async () => {
  const { body } = await admin.get(`${datasetsPath(table)}?sort=jrid`);
  return Object(body).datasets;
};
const looked = async () => {
  const { body } = await admin.get(`${archivePath(archive)}/index?sort=revisionId`);
  return Object(body).archivedocuments.map(
    (entry: { indexFields: readonly { value: unknown }[] }) => entry.indexFields[0]?.value,
  );
};

it('merges duplicates of a table with the chosen values, after a preview, and takes it back', async () => {
  const before = await stored();
  const { user } = await open();
  await user.keyboard('m');
  const bar = await screen.findByRole('region', { name: 'Merge…' });
  await within(bar).findByText('1 revision of', { exact: false });
  // The record that stays has no city: that of the other one is proposed.
  const pressed = (name: string) =>
    screen.getByRole('button', { name }).getAttribute('aria-pressed');
  expect(pressed('City: Bonn, of Record 2')).toBe('true');
  expect(pressed('Number: 10, of Record 1')).toBe('true');
  within(bar).getByText(/Supplier number 11 → 10$/);
  await user.click(screen.getByRole('button', { name: 'Number: 11, of Record 2' }));
  await within(bar).findByText(/Supplier number 10 → 11$/);
  within(bar).getByText('1 record is deleted, 2 values of the record that stays change.');
  expect(await stored()).toEqual(before);

  await user.click(within(bar).getByRole('button', { name: 'Merge 2 records' }));
  await screen.findByText('All duplicates are resolved.');
  expect(await stored()).toEqual([
    { jrid: '1', NO: '11', NAME: 'Acme', CITY: 'Bonn' },
    { jrid: '3', NO: '20', NAME: 'Bolt', CITY: 'Kiel' },
  ]);
  expect(await looked()).toEqual(['11', '11', '20']);

  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await screen.findByText('The merge is undone.');
  expect(await stored()).toEqual(before);
  expect(await looked()).toEqual(['10', '11', '20']);
  await screen.findByText('Group 1 of 1', { selector: '[role=status]' });
});

const add = async (NO: string, NAME: string, CITY: string) => {
  const added = await admin.post(datasetsPath(table), { datasets: [{ NO, NAME, CITY }] });
  expect(added.status).toBe(200);
};
const rename = async (jrid: string, NAME: string) => {
  const renamed = await admin.put(`${datasetsPath(table)}/${jrid}`, { dataset: { NAME } });
  expect(renamed.status).toBe(200);
};

it('keeps what is chosen while records join and leave the group, until the kept one leaves', async () => {
  await add('5', 'acme', 'Ulm');
  await add('6', 'aCme', 'Jena');
  const { user, queryClient } = await open('anna', 4);
  await within(screen.getByRole('table')).findByText('Ulm');
  await within(screen.getByRole('table')).findByText('Jena');
  const merge = (count: number) => screen.findByRole('button', { name: `Merge ${count} records` });
  await user.keyboard('m');
  const [keepSecond] = await screen.findAllByRole('button', { name: 'Keep this record' });
  if (!keepSecond) throw new Error('No other record can be kept.');
  await user.click(keepSecond);
  await user.click(await screen.findByRole('button', { name: 'City: Ulm, of Record 4' }));
  await add('7', 'ACMe', 'Trier');
  await counted(5);
  await queryClient.invalidateQueries();
  await screen.findByText('Record 6', { selector: 'th span' });
  await merge(4);
  expect(screen.queryByRole('button', { name: 'City: Trier, of Record 6' })).toBeNull();
  // A group with the record that left comes before this one.
  await rename('1', 'Bolt');
  await counted(6);
  await queryClient.invalidateQueries();
  await merge(3);
  const chosen = await screen.findByRole('button', { name: 'City: Ulm, of Record 4' });
  expect(chosen.getAttribute('aria-pressed')).toBe('true');
  const kept = screen.getByRole('button', { name: 'Number: 11, of Record 2' });
  expect(kept.getAttribute('aria-pressed')).toBe('true');
  await screen.findByText('Group 2 of 2', { selector: '[role=status]' });
  await rename('2', 'Zinn');
  await counted(5);
  await queryClient.invalidateQueries();
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Merge…' })).toBeNull());
  await screen.findByText('Group 2 of 2', { selector: '[role=status]' });
  await screen.findByText('Record 5', { selector: 'th span' });
});

it('leaves the reason in place that is typed when a record joins the group, which is not among those it is about', async () => {
  const { user, queryClient } = await open();
  await user.keyboard('n');
  const dialog = within(await screen.findByRole('dialog', { name: 'Record 1 is not a duplicate' }));
  const reason = dialog.getByRole('textbox', { name: /^Reason/ });
  await user.type(reason, 'two firms');
  await add('5', 'acme', 'Ulm');
  await counted(3);
  await queryClient.invalidateQueries();
  await screen.findByText('Record 4', { selector: 'th span' });
  expect(dialog.getByRole('textbox', { name: /^Reason/ })).toHaveProperty('value', 'two firms');
  await user.type(reason, '{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  const { body } = await admin.get(`${datasetsPath(table)}/1/history`);
  expect(body).toMatchObject({
    history: [{ changes: [{ name: 'checks.TWICE', after: { reason: 'two firms', with: ['2'] } }] }],
  });
});

it('is not offered with values that were read before a column was renamed', async () => {
  const { user, service: calls, queryClient } = await open();
  await user.keyboard('m');
  await screen.findByRole('button', { name: 'City: Bonn, of Record 2' });
  const path = `configuration/tables/${table.guid}`;
  const { body, headers } = await admin.get(path);
  const [defined] = definedTablesAnswer.parse(body).tables;
  const columns = defined?.columns.map((column) =>
    column.name === 'CITY'
      ? { ...column, name: 'TOWN', label: 'Town', renamedFrom: 'CITY' }
      : column,
  );
  const renamed = await admin.put(
    path,
    { table: { ...defined, columns } },
    { headers: { 'if-match': String(headers['etag']) } },
  );
  expect(renamed.status).toBe(200);
  const release = calls.hold('GET', '/datasets/2');
  const refetched = queryClient.invalidateQueries();
  await waitFor(() => expect(screen.queryByRole('rowheader', { name: 'City' })).toBeNull());
  expect(screen.queryByRole('button', { name: 'Merge 2 records' })).toBeNull();
  release();
  await refetched;
  const merge = await screen.findByRole('button', { name: 'Merge 2 records' });
  await waitFor(() => expect(isDisabled(merge)).toBe(false));
  await user.click(merge);
  await screen.findByText('All duplicates are resolved.');
  expect(await stored()).toContainEqual({ jrid: '1', NO: '10', NAME: 'Acme', TOWN: 'Bonn' });
});

it('keeps another record, or none is merged', { tags: ['long'] }, async () => {
  const { user } = await open();
  const [first] = await screen.findAllByRole('button', { name: 'Merge…' });
  if (!first) throw new Error('There is nothing to merge.');
  await user.click(first);
  await user.click(await screen.findByRole('button', { name: 'Keep this record' }));
  const bar = screen.getByRole('region', { name: 'Merge…' });
  await within(bar).findByText(/Supplier number 10 → 11$/);
  await user.click(within(bar).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Merge…' })).toBeNull());
  expect(await looked()).toEqual(['10', '11', '20']);
});

it('is for those who may delete records, and says what keeps it from being done', async () => {
  await buildUser(service.database, { username: 'writer', rights: [rightOn(table, 'write')] });
  const writing = await open('writer');
  expect(screen.queryByRole('button', { name: 'Merge…' })).toBeNull();
  writing.unmount();
  await buildUser(service.database, { username: 'manager', rights: [rightOn(table, 'manage')] });
  const { user } = await open('manager');
  await user.keyboard('m');
  await screen.findByText(/Records that you cannot change look up values/);
  expect(isDisabled(screen.getByRole('button', { name: 'Merge 2 records' }))).toBe(true);
});

it(
  'is reached from the checks of the table, and from a finding in the form of a record',
  { tags: ['long'] },
  async () => {
    const { unmount } = await open();
    unmount();
    const as = { username: 'anna', password: PASSWORD };
    const { user, search } = await renderApp(service.app, `/tables/${table.guid}?selected=2`, {
      as,
    });
    const form = await screen.findByRole('region', { name: 'Record 2' });
    await user.click(await within(form).findByRole('link', { name: 'Compare duplicates' }));
    await screen.findByRole('table', { name: 'Comparison' });
    expect(search()).toEqual({ record: '2' });
    await user.click(screen.getByRole('link', { name: 'Back to the list' }));
    await user.click(await screen.findByRole('button', { name: /^Checks/ }));
    const menu = within(await screen.findByRole('menu', { name: /^Checks/ }));
    await user.click(await menu.findByRole('menuitem', { name: 'Compare: Same name' }));
    await screen.findByText('Group 1 of 1', { selector: '[role=status]' });
  },
);
