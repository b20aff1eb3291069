import { fireEvent, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { tableQuery } from '#web/api/tables.queries.ts';
import { openGrids } from './open-grids.tsx';

const grids = await openGrids();

test('the summary of a column that is removed meanwhile goes on with the first column', async () => {
  const { guid, user, queryClient } = await grids.open();
  fireEvent.contextMenu(screen.getByRole('columnheader', { name: /^Pieces/ }));
  await user.click(await screen.findByRole('menuitem', { name: 'Summary…' }));
  const panel = within(await screen.findByRole('region', { name: 'Summary' }));
  await panel.findByRole('button', { name: '5' });
  queryClient.setQueryData(
    tableQuery(guid).queryKey,
    (table) =>
      table && { ...table, columns: table.columns.filter(({ name }) => name !== 'pieces') },
  );
  await panel.findByRole('button', { name: 'A-1' });
  expect(panel.getByRole('combobox', { name: 'Values of' })).toHaveProperty('value', 'code');
});
