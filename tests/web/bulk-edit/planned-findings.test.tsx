import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { archivePath, buildArchive, buildRecords } from '#tests/support/builders.ts';
import { bulkEditOf } from '#tests/support/bulk-edits.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';

it('The preview of a bulk edit says how many findings it would bring and remove', async () => {
  const { app, database, signedIn } = await openApp(testDatabases('sqlite').open);
  await buildUser(database, { username: 'anna', role: 'administrator' });
  const archive = await buildArchive(
    database,
    [
      { name: 'NET', type: 'decimal' },
      { name: 'TOTAL', type: 'decimal' },
    ],
    [],
    {
      checks: [
        { name: 'SUM', label: 'The total is wrong', rule: 'NET * 2 = TOTAL' },
        { name: 'LOW', label: 'Below the minimum', rule: 'TOTAL >= 3' },
        { name: 'MOST', label: 'Above the limit', rule: 'NET < 4 or TOTAL > 4', severity: 'block' },
      ],
    },
  );
  await buildRecords(database, archive, [
    [1, 2],
    [2, 4],
    [1, 5],
    [4, 8],
  ]);
  const clerk = await signedIn('anna');
  const { bulkEditId } = bulkEditOf(
    await clerk.post(`${archivePath(archive)}/bulkedits`, {
      selection: { filter: '' },
      edits: [{ field: 'TOTAL', do: 'set', value: 2 }],
    }),
  );
  await renderApp(app, `/archives/${archive.name}?batch=${bulkEditId}`, {
    as: { username: 'anna', password: PASSWORD },
  });
  const plan = within(await screen.findByRole('dialog', { name: 'Bulk edit' }));
  await plan.findByText('Would add 3 new findings and remove 1 finding');
  const items = within(plan.getByRole('list', { name: 'Findings by check' })).getAllByRole(
    'listitem',
  );
  expect(items.map(({ textContent }) => textContent)).toEqual([
    'The total is wrong: 1 new, 1 removed',
    'Below the minimum: 2 new',
  ]);
  // What a check blocks is listed as an error before anything is applied.
  expect(plan.getByRole('button', { name: '1 not possible' })).toBeTruthy();
});
