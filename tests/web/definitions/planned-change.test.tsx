/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { buildArchive } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { giveLocks } from '../give-locks.ts';

giveLocks();
const { app, database } = await openApp(testDatabases('sqlite').open);
await buildUser(database, { username: 'anna', role: 'administrator' });

it('Apply sends the planned change, also where the form was changed while it was planned', async () => {
  const archive = await buildArchive(database, [
    { name: 'TOTAL', label: 'Total' },
    { name: 'REMARK' },
  ]);
  const path = `/administration/archives/${archive.name}`;
  const as = { username: 'anna', password: PASSWORD };
  const { user, service } = await renderApp(app, path, { as });
  const puts = () => service.calls.filter(({ method }) => method === 'PUT');
  const [description] = await screen.findAllByRole('textbox', { name: /^Description/ });
  await user.type(description ?? document.body, 'New');
  const sendOn = service.hold('PUT');
  await user.click(screen.getByRole('button', { name: 'Preview changes' }));
  await waitFor(() => expect(puts()).toHaveLength(1));
  const total = within(screen.getByRole('group', { name: 'Total' }));
  await user.click(total.getByRole('button', { name: 'Retire' }));
  sendOn();
  const dialog = within(await screen.findByRole('dialog'));
  await user.click(await dialog.findByRole('button', { name: 'Apply' }));
  await waitFor(() => expect(puts()).toHaveLength(2));
  expect(puts()[1]?.body).toEqual(puts()[0]?.body);
});
