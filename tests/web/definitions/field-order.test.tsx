/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { readDefinitions } from '#server/modules/definitions/definitions.service.ts';
import { isDisabled } from '#tests/support/is-disabled.ts';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { giveLocks } from '../give-locks.ts';
import { buildArchive } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';

giveLocks();
const { app, database } = await openApp(testDatabases('sqlite').open);
await buildUser(database, { username: 'anna', role: 'administrator' });

it('lists a new field before the keyword fields, as it is stored, and selects it again', async () => {
  const archive = await buildArchive(
    database,
    [
      { name: 'NO', label: 'Number' },
      { name: 'TOTAL', label: 'Total' },
    ],
    ['SUBJECT'],
  );
  const { user } = await renderApp(app, `/administration/archives/${archive.name}`, {
    as: { username: 'anna', password: PASSWORD },
  });
  const press = async (name: string | RegExp) =>
    user.click(await screen.findByRole('button', { name }));
  await press('Add field');
  screen.getByRole('group', { name: 'Field 4' });
  // Fields and keyword fields are stored apart, so that none can be moved among the others.
  expect(isDisabled(screen.getByRole('button', { name: 'Move Field 4 down' }))).toBe(true);
  expect(isDisabled(screen.getByRole('button', { name: 'Move Field 4 up' }))).toBe(false);
  expect(isDisabled(screen.getByRole('button', { name: 'Move SUBJECT up' }))).toBe(true);
  await press('Preview changes');
  await press('Apply');
  await waitFor(async () => {
    const { archives } = await database.read(readDefinitions);
    const stored = archives.find(({ name }) => name === archive.name);
    expect(stored?.fields.map(({ label }) => label)).toEqual(['Number', 'Total', 'Field 4']);
  });
  // The properties of a stored field can be retired, those of a new one removed.
  await waitFor(() =>
    within(screen.getByRole('group', { name: 'Field 4' })).getByRole('button', { name: 'Retire' }),
  );
});

it('moves a new field by keys, as often as they are pressed', async () => {
  const archive = await buildArchive(database, [
    { name: 'NO', label: 'Number' },
    { name: 'TOTAL', label: 'Total' },
  ]);
  const { user } = await renderApp(app, `/administration/archives/${archive.name}`, {
    as: { username: 'anna', password: PASSWORD },
  });
  await user.click(await screen.findByRole('button', { name: 'Add field' }));
  const field = screen.getByRole('button', { name: /^Field 3/ });
  field.focus();
  await user.keyboard('{Alt>}{ArrowUp}{ArrowUp}{/Alt}');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: /^Field 3/ }));
  expect(isDisabled(screen.getByRole('button', { name: 'Move Field 3 up' }))).toBe(true);
});

it('removes a new field from the list', async () => {
  const archive = await buildArchive(database, [{ name: 'NO', label: 'Number' }]);
  const { user } = await renderApp(app, `/administration/archives/${archive.name}`, {
    as: { username: 'anna', password: PASSWORD },
  });
  await user.click(await screen.findByRole('button', { name: 'Add field' }));
  await user.click(screen.getByRole('button', { name: 'Remove' }));
  expect(screen.queryByRole('button', { name: /^Field 2/ })).toBeNull();
  screen.getByRole('button', { name: /^Number/ });
});

it('focuses the label of a new field, and the next field after it is removed', async () => {
  const archive = await buildArchive(
    database,
    [
      { name: 'NO', label: 'Number' },
      { name: 'TOTAL', label: 'Total' },
    ],
    ['SUBJECT'],
  );
  const { user } = await renderApp(app, `/administration/archives/${archive.name}`, {
    as: { username: 'anna', password: PASSWORD },
  });
  await user.click(await screen.findByRole('button', { name: 'Add field' }));
  await user.keyboard('Currency{Tab}');
  const field = await screen.findByRole('group', { name: 'Currency' });
  expect(within(field).getByRole('textbox', { name: /^Name/ })).toHaveProperty('value', 'CURRENCY');
  await user.click(within(field).getByRole('button', { name: 'Remove' }));
  const next = await screen.findByRole('group', { name: 'SUBJECT' });
  await waitFor(() =>
    expect(document.activeElement).toBe(within(next).getByRole('textbox', { name: 'Label' })),
  );
});
