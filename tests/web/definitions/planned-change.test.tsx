/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { buildArchive, buildRecords, buildTable } from '#tests/support/builders.ts';
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

it('offers to correct what does not fit, if it is found once the user is on another page', async () => {
  const table = await buildTable(database, [{ name: 'total', label: 'Total' }]);
  await buildRecords(database, table, [['1'], [null]]);
  const path = `/administration/tables/${table.guid}`;
  const as = { username: 'anna', password: PASSWORD };
  const { user, service, navigate, history } = await renderApp(app, path, { as });
  const total = within(await screen.findByRole('group', { name: 'Total' }));
  await user.click(await total.findByRole('checkbox', { name: 'A value is required' }));
  await user.click(screen.getByRole('button', { name: 'Preview changes' }));
  const dialog = within(await screen.findByRole('dialog'));
  const findOn = service.hold('POST', '/misfits');
  await user.click(await dialog.findByRole('button', { name: 'Correct them in the table' }));
  await waitFor(() => expect(service.calls.at(-1)?.url).toMatch(/\/misfits$/));
  await navigate({ to: '/' });
  await screen.findByRole('region', { name: 'Work lists' });
  findOn();
  const notices = within(await screen.findByRole('region', { name: 'Notices' }));
  await notices.findByText(`The values of ${table.name} that do not fit were found.`);
  expect(history.location.pathname).toBe('/');
  await user.click(notices.getByRole('button', { name: 'Correct them in the table' }));
  await waitFor(() => expect(history.location.pathname).toBe(`/tables/${table.guid}`));
});
