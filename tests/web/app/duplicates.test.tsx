/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { checksAnswer } from '#shared/contract/check-answers.ts';
import { buildUser, openApp, PASSWORD, type TestClient } from '#tests/support/app.ts';
import { buildArchive, buildRecords } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { ArchiveAdministration } from '../../support/definitions-client.ts';

const service = await openApp(testDatabases('sqlite').open);
await buildUser(service.database, { username: 'anna', role: 'administrator' });
const admin: TestClient = await service.signedIn('anna');

const FIELDS = [
  { name: 'NO', type: 'text', label: 'Invoice no.' },
  { name: 'SUPPLIER', type: 'text', label: 'Supplier' },
  { name: 'TOTAL', type: 'decimal', label: 'Total', scale: 2 },
];
const CHECKS = [{ name: 'TWICE', label: 'Same invoice number', duplicates: [['NO']] }];

let archive: ArchiveAdministration;
beforeEach(async () => {
  const built = await buildArchive(service.database, FIELDS, []);
  await buildRecords(service.database, built, [
    ['A1', 'Acme', 10],
    ['A1', 'Acme', 12],
    ['B1', 'Bolt', 3],
    ['B1', 'Bolt', 3],
    ['B1', 'Bolt Ltd', 3],
  ]);
  archive = new ArchiveAdministration(admin, built.name);
  await archive.put(FIELDS, { checks: CHECKS });
});

const counted = () =>
  vi.waitFor(async () => {
    const { checks } = checksAnswer.parse((await admin.get(`${archive.records}/checks`)).body);
    expect(checks[0]).toMatchObject({ name: 'TWICE', count: 5 });
  });
const countAt = (due_at: number) =>
  service.database.write((db) =>
    db.k.updateTable('check_states').set({ count: null, due_at }).execute(),
  );
const open = (search = '') => {
  const as = { username: 'anna', password: PASSWORD };
  const path = `/archives/${archive.table}/duplicates/TWICE${search}`;
  return renderApp(service.app, path, { as });
};
const rows = () =>
  within(screen.getByRole('table', { name: 'Comparison' }))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);
const place = (text: string) => screen.findByText(text, { selector: '[role=status]' });

it(
  'shows one group of duplicates at a time, with the values marked that differ',
  { tags: ['long'] },
  async () => {
    await counted();
    const { user, search } = await open();
    await place('Group 1 of 2');
    await waitFor(() => expect(rows()).toEqual(['Total10.00 (differs)12.00 (differs)']));
    expect(screen.getAllByRole('columnheader', { name: /^Revision/ })).toHaveLength(2);
    await user.keyboard('{Alt>}{ArrowDown}{/Alt}');
    await place('Group 2 of 2');
    await waitFor(() => expect(rows()).toEqual(['SupplierBoltBoltBolt Ltd (differs)']));
    expect(search()).toEqual({ group: '3.0' });
    await user.keyboard('d');
    expect(rows()).toEqual([
      'Invoice no.B1B1B1',
      'SupplierBoltBoltBolt Ltd (differs)',
      'Total3.003.003.00',
    ]);
    await user.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}e');
    await waitFor(() => expect(search()).toEqual({ selected: '5' }));
  },
);

it('waits until they are counted, stores why some are none, and opens the next group', async () => {
  await counted();
  await countAt(Number.MAX_SAFE_INTEGER);
  const { user } = await open('?group=1.0');
  await screen.findByRole('status', { name: 'The duplicates are being counted.' });
  await countAt(0);
  await place('Group 1 of 2');
  await waitFor(() => expect(rows()).toHaveLength(1));
  await user.keyboard('n');
  const dialog = await screen.findByRole('dialog', { name: 'Revision 1 is not a duplicate' });
  await user.click(within(dialog).getByRole('button', { name: 'Not a duplicate' }));
  await within(dialog).findByText('Enter a reason.');
  await user.type(within(dialog).getByRole('textbox', { name: /^Reason/ }), 'two orders{Enter}');
  await place('Group 1 of 1');
  await waitFor(() => expect(rows()).toEqual(['SupplierBoltBoltBolt Ltd (differs)']));

  await user.keyboard('{ArrowRight}{ArrowRight}n');
  const other = await screen.findByRole('dialog', { name: 'Revision 5 is not a duplicate' });
  await user.type(
    within(other).getByRole('textbox', { name: /^Reason/ }),
    'another company{Enter}',
  );
  await waitFor(() => expect(rows()).toEqual(['All fields are equal.']));
  const { body } = await admin.get(`${archive.records}/documents/5/history`);
  expect(body).toMatchObject({
    history: [
      {
        changes: [{ name: 'checks.TWICE', after: { reason: 'another company', with: ['3', '4'] } }],
      },
    ],
  });
});
