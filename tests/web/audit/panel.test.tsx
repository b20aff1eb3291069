/** @module-tag slow */
import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { buildArchive } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';

const { app, database } = await openApp(testDatabases('sqlite').open);
await buildUser(database, { username: 'anna', role: 'administrator' });
for (const label of ['One', 'Two', 'Three']) {
  await buildArchive(database, [{ name: 'TOTAL', label }]);
}

it('is one step of the browser, however many entries are passed, and Escape leads back to the list', async () => {
  const { user, history, search } = await renderApp(app, '/administration/audit', {
    as: { username: 'anna', password: PASSWORD },
  });
  await waitFor(() => expect(screen.getAllByRole('option').length).toBeGreaterThan(2));
  const list = screen.getByRole('listbox', { name: /entries/i });
  const [option] = screen.getAllByRole('option');
  const before = history.length;
  list.focus();
  expect(option).toBeTruthy();
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(search()).toHaveProperty('entry'));
  const { entry: first } = search();
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(search()).not.toMatchObject({ entry: first }));
  expect(history.length).toBe(before + 1);
  await user.click(await screen.findByRole('button', { name: 'Close the entry' }));
  await waitFor(() => expect(search()).not.toHaveProperty('entry'));
  expect(document.activeElement).toBe(list);
  await user.keyboard('{ArrowDown}');
  await waitFor(() => expect(search()).toHaveProperty('entry'));
  await user.keyboard('{Escape}');
  await waitFor(() => expect(search()).not.toHaveProperty('entry'));
});

it('stays open at the Escape that closes a menu', async () => {
  const { user, search } = await renderApp(app, '/administration/audit', {
    as: { username: 'anna', password: PASSWORD },
  });
  const [option] = await screen.findAllByRole('option');
  if (!option) throw new Error('The audit has no entries.');
  await user.click(option);
  await screen.findByRole('button', { name: 'Close the entry' });
  await user.click(screen.getByRole('button', { name: 'anna' }));
  await screen.findByRole('menu');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('menu')).toBeNull());
  expect(search()).toHaveProperty('entry');
});
