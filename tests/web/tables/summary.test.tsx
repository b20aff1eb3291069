import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { tableQuery } from '#web/api/tables.queries.ts';
import { openGrids } from './open-grids.tsx';

const grids = await openGrids();

/** Opens the summary of the column of pieces. */
async function openSummary() {
  const page = await grids.open();
  fireEvent.contextMenu(screen.getByRole('columnheader', { name: /^Pieces/ }));
  await page.user.click(await screen.findByRole('menuitem', { name: 'Summary…' }));
  const panel = within(await screen.findByRole('region', { name: 'Summary' }));
  await panel.findByRole('button', { name: '5' });
  return { ...page, panel };
}

test('the summary of a column that is removed meanwhile goes on with the first column', async () => {
  const { guid, panel, queryClient } = await openSummary();
  queryClient.setQueryData(
    tableQuery(guid).queryKey,
    (table) =>
      table && { ...table, columns: table.columns.filter(({ name }) => name !== 'pieces') },
  );
  await panel.findByRole('button', { name: 'A-1' });
  expect(panel.getByRole('combobox', { name: 'Values of' })).toHaveProperty('value', 'code');
});

test('while the values of another column are read, none are offered', async () => {
  const { panel, service, user } = await openSummary();
  const readOn = service.hold('GET');
  await user.selectOptions(panel.getByRole('combobox', { name: 'Values of' }), 'code');
  expect(panel.queryAllByRole('button', { pressed: false })).toEqual([]);
  readOn();
  await panel.findByRole('button', { name: 'A-1' });
});
