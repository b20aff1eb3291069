/** @module-tag slow */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { Archive } from '#server/database/records/collection.ts';
import { buildUser, openApp, PASSWORD, type TestClient } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';

const service = await openApp(testDatabases('sqlite').open);
await buildUser(service.database, { username: 'anna', role: 'administrator' });
const admin: TestClient = await service.signedIn('anna');

const FIELDS = [
  { name: 'SUPPLIER', label: 'Supplier' },
  { name: 'CITY', label: 'City' },
];
let archive: Archive;
beforeEach(async () => {
  archive = await buildArchive(service.database, FIELDS);
  await buildRecords(service.database, archive, [
    ['Müller GmbH', 'Bern'],
    ['Müller GmbH', 'Bern'],
    ['Müller Gmbh', 'Bern'],
    ['Mueller G.m.b.H.', 'Basel'],
    ['Durand SARL', 'Bern'],
    ['Durand S.A.R.L.', 'Bern'],
    ['Acme', 'Bern'],
  ]);
});
const open = (path: string) =>
  renderApp(service.app, `/archives/${archive.name}${path}`, {
    as: { username: 'anna', password: PASSWORD },
  });
const groupOf = (right: string) =>
  screen.findByRole('radiogroup', { name: `The right value of the group “${right}”` });
const suppliers = async () => {
  const { body } = await admin.get(`${archivePath(archive)}/index/groups?by=SUPPLIER&sort=value`);
  return Object(body).groups.map(({ values, count }: { values: object; count: number }) => [
    ...Object.values(values),
    count,
  ]);
};

it('corrects nearly equal values by keyboard, after a preview, as one bulk edit', async () => {
  const { user } = await open('/values/SUPPLIER');
  const first = await groupOf('Müller GmbH');
  const right = within(first).getByRole('radio', { name: /^Müller GmbH/ });
  expect(right).toHaveProperty('checked', true);
  right.focus();
  // The group is accepted as proposed, then another value of the next group is chosen.
  await user.keyboard('{Enter}');
  await screen.findByText('1 group chosen: 2 values in 2 records will change.');
  expect(document.activeElement).toBe(
    within(await groupOf('Durand S.A.R.L.')).getByRole('radio', { name: /^Durand S.A.R.L/ }),
  );
  // In browsers arrow keys choose it.
  await user.click(screen.getByRole('radio', { name: /^Durand SARL/ }));
  await groupOf('Durand SARL');
  await user.keyboard('{Enter}');
  await screen.findByText('2 groups chosen: 3 values in 3 records will change.');
  await user.click(screen.getByRole('checkbox', { name: 'Keep “Mueller G.m.b.H.” as it is' }));
  await screen.findByText('2 groups chosen: 2 values in 2 records will change.');
  await user.click(screen.getByRole('checkbox', { name: 'Correct in imports and pastes too' }));
  await user.keyboard('{Control>}{Enter}{/Control}');

  const plan = await screen.findByRole('dialog', { name: /Bulk edit/ });
  await within(plan).findByText('Supplier: 2 values cleaned up');
  // The button has the focus once the changes are drawn.
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Change 2 revisions'));
  await user.keyboard('{Enter}');
  await within(plan).findByRole('button', { name: 'Undo all' });
  await waitFor(async () =>
    expect(await suppliers()).toEqual([
      ['Acme', 1],
      ['Durand SARL', 2],
      ['Mueller G.m.b.H.', 1],
      ['Müller GmbH', 3],
    ]),
  );
  await user.keyboard('{Escape}');
  // What is left is compared again.
  await groupOf('Müller GmbH');
  await waitFor(() =>
    expect(screen.getAllByRole('radiogroup', { name: /^The right/ })).toHaveLength(1),
  );
  await user.click(screen.getByRole('radio', { name: 'Remembered' }));
  await user.click(await screen.findByRole('button', { name: 'Forget “Müller Gmbh”' }));
  await waitFor(() => expect(screen.getAllByRole('button', { name: /^Forget/ })).toHaveLength(1));
});

it('keeps the choices when the preview is closed and while other values are shown, and asks before they are lost', async () => {
  const { user, navigate } = await open('/values/SUPPLIER');
  await groupOf('Müller GmbH');
  await user.click(screen.getByRole('checkbox', { name: 'Correct all to “Müller GmbH”' }));
  const chosen = '1 group chosen: 2 values in 2 records will change.';
  await screen.findByText(chosen);
  await user.click(screen.getByRole('button', { name: 'Preview…' }));
  const plan = await screen.findByRole('dialog', { name: /Bulk edit/ });
  await user.click(await within(plan).findByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  await screen.findByText(chosen);
  await user.click(screen.getByRole('radio', { name: 'All values' }));
  await screen.findByText('6 different values');
  await user.click(screen.getByRole('radio', { name: '1 letter' }));
  await screen.findByText(chosen);
  void navigate({ to: '/' });
  await screen.findByRole('dialog', { name: 'Leave without saving?' });
});

it('keeps the choices of groups that were not shown when others are corrected', async () => {
  await buildRecords(service.database, archive, [
    ['Schneider AG', 'Bern'],
    ['Schneider AG', 'Bern'],
    ['Schnaider AG', 'Bern'],
  ]);
  const { user } = await open('/values/SUPPLIER');
  await user.click(await screen.findByRole('checkbox', { name: 'Correct all to “Schneider AG”' }));
  await user.click(screen.getByRole('radio', { name: 'Equal words' }));
  await user.click(await screen.findByRole('checkbox', { name: 'Correct all to “Müller GmbH”' }));
  await user.click(screen.getByRole('button', { name: 'Preview…' }));
  const plan = await screen.findByRole('dialog', { name: /Bulk edit/ });
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Change 2 revisions'));
  await user.keyboard('{Enter}');
  await within(plan).findByRole('button', { name: 'Undo all' });
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('radio', { name: '1 letter' }));
  await screen.findByText('1 group chosen: 1 value in 1 record will change.');
});

it('keeps the choice of a group whose values are used more or less meanwhile', async () => {
  const { user } = await open('/values/SUPPLIER');
  await user.click(await screen.findByRole('checkbox', { name: 'Correct all to “Müller GmbH”' }));
  await buildRecords(service.database, archive, [
    ['Müller Gmbh', 'Bern'],
    ['Müller Gmbh', 'Bern'],
  ]);
  await user.click(screen.getByRole('radio', { name: 'All values' }));
  await screen.findByText('6 different values');
  await user.click(screen.getByRole('radio', { name: '1 letter' }));
  expect(
    await screen.findByText('1 group chosen: 2 values in 4 records will change.'),
  ).toBeTruthy();
});

it(
  'is about the records of the list, and shows all values with their counts',
  { tags: ['long'] },
  async () => {
    const { user, search } = await open('/values/SUPPLIER?where[CITY][eq]=Basel');
    await screen.findByText('There is only one value.');
    await user.click(screen.getByRole('button', { name: 'Use all records' }));
    await groupOf('Müller GmbH');
    await user.click(screen.getByRole('radio', { name: 'All values' }));
    await screen.findByText('6 different values');
    const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1);
    expect(rows.map((row) => row.textContent)).toEqual([
      'Müller GmbH2',
      'Acme1',
      'Durand S.A.R.L.1',
      'Durand SARL1',
      'Mueller G.m.b.H.1',
      'Müller Gmbh1',
    ]);
    await user.click(screen.getByRole('button', { name: 'Acme' }));
    await waitFor(() => expect(search()).toEqual({ 'where[SUPPLIER][eq]': 'Acme' }));
  },
);

it(
  'corrects values inside the lists of a keyword field, from the menu of its column',
  { tags: ['long'] },
  async () => {
    const topics = [['Tax'], ['tax', 'Zoo', 'Tax'], ['Tax']];
    archive = await buildArchive(service.database, FIELDS, ['TOPIC']);
    await buildRecords(
      service.database,
      archive,
      topics.map(() => ['Acme', 'Bern']),
      (row) => [topics[row] ?? []],
    );
    const { user } = await open('?columns=SUPPLIER,keyword.TOPIC');
    fireEvent.contextMenu(await screen.findByRole('columnheader', { name: /^TOPIC/ }));
    await user.click(await screen.findByRole('menuitem', { name: /Clean up values/ }));
    const group = await groupOf('Tax');
    expect(within(group).getByRole('radio', { name: /^Tax/ }).closest('label')?.textContent).toBe(
      'Tax3',
    );
    await user.click(screen.getByRole('checkbox', { name: 'Correct all to “Tax”' }));
    await user.click(screen.getByRole('button', { name: 'Preview…' }));
    const plan = await screen.findByRole('dialog', { name: /Bulk edit/ });
    await within(plan).findByText('TOPIC: 1 value cleaned up');
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Change 1 revision'));
    await user.keyboard('{Enter}');
    await within(plan).findByRole('button', { name: 'Undo all' });
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('radio', { name: 'All values' }));
    await screen.findByText('2 different values');
    const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1);
    expect(rows.map((row) => row.textContent)).toEqual(['Tax3', 'Zoo1']);
  },
);
