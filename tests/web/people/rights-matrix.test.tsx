import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { buildArchive } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';

const { app, database, signedIn } = await openApp(testDatabases('sqlite').open);
await buildUser(database, { username: 'anna', role: 'administrator' });
await buildUser(database, { username: 'bob' });
const [invoices, letters] = [
  await buildArchive(database, [{ name: 'TOTAL' }]),
  await buildArchive(database, [{ name: 'TOTAL' }]),
];

it('shows a right as chosen while it is stored, and each one that was not stored', async () => {
  const { user, service } = await renderApp(app, '/administration/rights', {
    as: { username: 'anna', password: PASSWORD },
  });
  const rightOn = ({ name }: { readonly name: string }) =>
    screen.findByRole('combobox', { name: `Right of bob on ${name}` });
  const release = service.hold('PATCH');
  await user.selectOptions(await rightOn(invoices), 'Read');
  await user.selectOptions(await rightOn(letters), 'Write');
  expect(await rightOn(invoices)).toHaveProperty('value', 'read');
  expect(await rightOn(letters)).toHaveProperty('value', 'write');
  release();
  const stored = () => service.calls.filter(({ method, status }) => method === 'PATCH' && status);
  await waitFor(() => expect(stored()).toHaveLength(2));
  expect(await rightOn(invoices)).toHaveProperty('value', 'read');
  expect(await rightOn(letters)).toHaveProperty('value', 'write');

  for (const archive of [invoices, letters]) {
    service.answerInstead('PATCH', () => new Response('Bad gateway', { status: 502 }));
    await user.selectOptions(await rightOn(archive), 'None');
  }
  for (const { name } of [invoices, letters]) {
    await screen.findByText(`The right of bob on ${name} was not changed`);
  }
  expect(await rightOn(invoices)).toHaveProperty('value', 'read');
});

it('says which people are disabled, as the members of a group do', async () => {
  const anna = await signedIn('anna');
  await buildUser(database, { username: 'cara' });
  await anna.patch('configuration/users/cara', { user: { active: false } });
  await anna.post('configuration/groups', { group: { name: 'STAFF', members: ['bob', 'cara'] } });
  const { navigate } = await renderApp(app, '/administration/rights', {
    as: { username: 'anna', password: PASSWORD },
  });
  const rowOf = async (name: string) =>
    within((await screen.findByRole('link', { name })).closest('tr') ?? document.body);
  expect((await rowOf('cara')).getByText('Disabled')).toBeTruthy();
  expect((await rowOf('bob')).queryByText('Disabled')).toBeNull();
  await navigate({ to: '/administration/groups', search: { group: 'STAFF' } });
  expect(await screen.findByRole('checkbox', { name: /^cara ?Disabled$/ })).toBeTruthy();
  expect(screen.getByRole('checkbox', { name: 'bob' })).toBeTruthy();
});
