/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { definedArchivesAnswer } from '#shared/contract/configuration-definitions.ts';
import { buildArchive, buildRecords, buildTable } from '#tests/support/builders.ts';
import type { Table } from '#server/database/records/collection.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { giveLocks } from '../give-locks.ts';

giveLocks();
const { app, database, signedIn } = await openApp(testDatabases('sqlite').open);
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

/** Plans another type of a column. @returns the dialog with the plan */
async function planType(table: Table, type: string) {
  const as = { username: 'anna', password: PASSWORD };
  const { user } = await renderApp(app, `/administration/tables/${table.guid}`, { as });
  const total = within(await screen.findByRole('group', { name: 'Total' }));
  await user.click(await total.findByRole('combobox', { name: 'Type' }));
  await user.click(await screen.findByRole('option', { name: type }));
  await user.click(screen.getByRole('button', { name: 'Preview changes' }));
  const dialog = within(await screen.findByRole('dialog'));
  await dialog.findByText('1 value does not fit');
  return dialog;
}

it('says that values which cannot be converted become empty, and where the old ones stay', async () => {
  const table = await buildTable(database, [{ name: 'total', label: 'Total' }]);
  await buildRecords(database, table, [['1'], ['none']]);
  const dialog = await planType(table, 'Whole number');
  const description =
    'Values that cannot be converted become empty. All old values stay in a retired field, which can be restored.';
  expect(dialog.getByRole('checkbox', { name: 'Apply anyway', description })).toBeTruthy();
});

it('does not offer to keep values that do not fit a column whose values are unique', async () => {
  const table = await buildTable(database, [{ name: 'total', label: 'Total', unique: true }]);
  await buildRecords(database, table, [['1'], ['none']]);
  const dialog = await planType(table, 'Whole number');
  dialog.getByText(/^What must be unique cannot keep values that do not fit/);
  expect(dialog.queryByRole('checkbox')).toBeNull();
  expect(dialog.getByRole('button', { name: 'Apply' }).getAttribute('aria-disabled')).toBe('true');
});

it('shows what each property is and will be, and names checks that use the field as lists do', async () => {
  const archive = await buildArchive(database, [{ name: 'TOTAL', label: 'Total', maxLength: 9 }]);
  const anna = await signedIn('anna');
  const address = `configuration/archives/${archive.name}`;
  const { body, headers } = await anna.get(address);
  const [current] = definedArchivesAnswer.parse(body).archives;
  const checks = [{ name: 'NONE', label: 'There is no total', duplicates: [['TOTAL']] }];
  const changed = await anna.put(
    address,
    { archive: { ...current, checks } },
    { headers: { 'if-match': String(headers['etag']) } },
  );
  expect(changed.text).toContain('There is no total');
  const as = { username: 'anna', password: PASSWORD };
  const { user } = await renderApp(app, `/administration/archives/${archive.name}`, { as });
  const total = within(await screen.findByRole('group', { name: 'Total' }));
  expect(await total.findByText('Check “There is no total”')).toBeTruthy();
  await user.click(total.getByRole('checkbox', { name: 'A value is required' }));
  await user.clear(total.getByLabelText('Maximum length'));
  await user.type(total.getByLabelText('Maximum length'), '5');
  await user.click(screen.getByRole('button', { name: 'Preview changes' }));
  const dialog = within(await screen.findByRole('dialog'));
  const changes = (await dialog.findByText('changed')).closest('li');
  expect(changes?.textContent).toMatch(/A value is required ?No.*Yes.*Maximum length ?9.*5/);
});
