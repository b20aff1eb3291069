/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';
import { configuredUserAnswer } from '#shared/contract/configuration-people.ts';
import { isDisabled } from '#tests/support/is-disabled.ts';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { buildArchive } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';

const { app, database, signedIn } = await openApp(testDatabases('sqlite').open);
await buildUser(database, { username: 'anna', role: 'administrator' });
await buildUser(database, { username: 'root', role: 'administrator' });
const root = await signedIn('root');
const [invoices, letters] = [
  await buildArchive(database, [{ name: 'TOTAL' }]),
  await buildArchive(database, [{ name: 'TOTAL' }]),
];
let users = 0;
/** The page without notices. */
const shownPage = () => within(screen.getByRole('main'));

/** Opens the page of a new user. */
async function openUser() {
  const username = `clerk-${++users}`;
  await buildUser(database, { username });
  const path = `configuration/users/${username}`;
  const page = await renderApp(app, `/administration/users?user=${username}`, {
    as: { username: 'anna', password: PASSWORD },
  });
  const name = await screen.findByRole('textbox', { name: /^Name/ });
  return {
    ...page,
    name,
    /** Another administrator changes the user, and this page reads it again. */
    changeElsewhere: async (user: Readonly<Record<string, unknown>>) => {
      expect((await root.patch(path, { user })).status).toBe(200);
      await page.queryClient.invalidateQueries();
    },
    stored: async () => configuredUserAnswer.parse((await root.get(path)).body).users[0],
    rightOn: (archive: { readonly name: string }) =>
      screen.findByRole('combobox', { name: `Right on ${archive.name}` }),
    save: async () => {
      const button = screen.getByRole('button', { name: 'Save' });
      // The notice of the last save is shown while that is still being completed.
      await waitFor(() => expect(isDisabled(button)).toBe(false));
      await page.user.click(button);
    },
  };
}

it('does not replace the rights that another administrator has given meanwhile', async () => {
  const { user, rightOn, changeElsewhere, save, stored } = await openUser();
  await user.selectOptions(await rightOn(invoices), 'Read');
  const rights = { archives: { [letters.name]: 'write' }, tables: {} };
  await changeElsewhere({ rights });
  await save();
  const conflict = await shownPage().findByRole('group', { name: 'Changed meanwhile' });
  await waitFor(() => expect(document.activeElement).toBe(conflict));
  expect(await stored()).toMatchObject({ rights });
  expect(
    within(conflict).getByRole('radio', { name: `Yours ${invoices.name}: Read` }),
  ).toBeTruthy();
  await user.click(within(conflict).getByRole('radio', { name: `Theirs ${letters.name}: Write` }));
  await user.click(within(conflict).getByRole('button', { name: 'Take this value' }));
  expect(await rightOn(letters)).toHaveProperty('value', 'write');
  expect(shownPage().queryByRole('alert')).toBeNull();
  await user.selectOptions(await rightOn(invoices), 'Read');
  await save();
  await screen.findByText(/ is saved\.$/);
  expect(await stored()).toMatchObject({
    rights: { archives: { [letters.name]: 'write', [invoices.name]: 'read' } },
  });
});

it(
  'can be saved again after a change by another administrator that it had not read',
  { tags: ['long'] },
  async () => {
    const { user, name, save, stored } = await openUser();
    await user.type(name, ' A');
    const path = `configuration/users/clerk-${users}`;
    const changed = { email: 'a@example.org' };
    expect((await root.patch(path, { user: changed })).status).toBe(200);
    await save();
    await shownPage().findByRole('alert');
    await screen.findByDisplayValue(changed.email);
    await save();
    await screen.findByText(/ is saved\.$/);
    expect(await stored()).toMatchObject({ displayName: `clerk-${users} A`, ...changed });
  },
);

it('saves a change beside that of another administrator to something else', async () => {
  const { user, name, changeElsewhere, save, stored } = await openUser();
  await user.clear(name);
  await user.type(name, 'Bob');
  const rights = { archives: { [letters.name]: 'write' }, tables: {} };
  await changeElsewhere({ rights });
  await save();
  await screen.findByText(/ is saved\.$/);
  expect(await stored()).toMatchObject({ displayName: 'Bob', rights });
});

it('never counts typed values as saved while it reads what another administrator has changed', async () => {
  const { user, name, changeElsewhere } = await openUser();
  await user.type(name, ' A');
  // The button is disabled exactly while the form has no change, which leaving the page would lose.
  const changesOfButton: MutationRecord[] = [];
  const observer = new MutationObserver((records) => changesOfButton.push(...records));
  onTestFinished(() => observer.disconnect());
  observer.observe(screen.getByRole('button', { name: 'Save' }), { attributes: true });
  await changeElsewhere({ email: 'a@example.org' });
  await screen.findByDisplayValue('a@example.org');
  expect(changesOfButton.map(({ attributeName }) => attributeName)).toEqual([]);
});

it('keeps what is typed while it saves, as the next change', async () => {
  const { user, name, save, stored, service } = await openUser();
  await user.type(name, ' A');
  const release = service.hold('PATCH');
  await save();
  await user.type(name, 'BC');
  release();
  await screen.findByText(/ is saved\.$/);
  expect(name).toHaveProperty('value', `clerk-${users} ABC`);
  expect(await stored()).toMatchObject({ displayName: `clerk-${users} A` });
  await save();
  await waitFor(async () =>
    expect(await stored()).toMatchObject({ displayName: `clerk-${users} ABC` }),
  );
  const saveButton = screen.getByRole('button', { name: 'Save' });
  await waitFor(() => expect(isDisabled(saveButton)).toBe(true));
  expect(document.activeElement).toBe(saveButton);
});

it('has no unsaved change after a save, though the user has signed in since the page was read', async () => {
  const { user, name, save, service, history } = await openUser();
  const username = `clerk-${users}`;
  await signedIn(username);
  await user.type(name, ' A');
  // The user is read again before the other queries.
  const release = service.hold('GET', `${username}/access`);
  await save();
  await screen.findByRole('heading', { name: `${username} A` });
  release();
  await screen.findByText(/ is saved\.$/);
  await user.click(screen.getByRole('link', { name: 'Rights' }));
  await waitFor(() => expect(history.location.pathname).toBe('/administration/rights'));
});

it('shows each one-time password as not yet copied, and says that the browser refused to copy', async () => {
  const { user, navigate } = await openUser();
  const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
  const dialogOf = (name: RegExp) => screen.findByRole('dialog', { name });
  const reset = async () => {
    await press('One-time password');
    const question = within(await dialogOf(/^Give /));
    await user.click(question.getByRole('button', { name: 'One-time password' }));
    return within(await dialogOf(/^One-time password of /));
  };
  const first = await reset();
  first.getByText(/ is valid until \d{4}-\d\d-\d\d \d\d:\d\d\. /);
  await user.click(first.getByRole('button', { name: 'Copy' }));
  await first.findByRole('button', { name: 'Copied' });
  await user.keyboard('{Escape}');
  await user.click(first.getByRole('button', { name: 'Close' }));
  const { username: other } = await buildUser(database, { username: 'other' });
  await navigate({ to: '/administration/users', search: { user: other } });
  await screen.findByRole('heading', { name: other });
  const second = await reset();
  const refused = vi.spyOn(navigator.clipboard, 'writeText');
  onTestFinished(() => refused.mockRestore());
  refused.mockRejectedValue(new DOMException('Refused'));
  await user.click(second.getByRole('button', { name: 'Copy' }));
  await screen.findByText(/^The browser did not allow/);
  expect(second.getByRole('button', { name: 'Copy' })).toBeTruthy();
});

it(
  'offers every user as a member of a group, and an error where they cannot be read',
  { tags: ['long'] },
  async () => {
    for (let at = 1; at <= 200; at++) await buildUser(database, { username: `many-${at}` });
    await buildUser(database, { username: 'zoe' });
    await root.post('configuration/groups', { group: { name: 'STAFF' } });
    let endFailure = () => {};
    const { user } = await renderApp(app, '/administration/groups?group=STAFF', {
      as: { username: 'anna', password: PASSWORD },
      network: ({ failReads }) => (endFailure = failReads('configuration/users')),
    });
    await screen.findByText('The users could not be read');
    expect(screen.queryByText('No user found')).toBeNull();
    const press = async (name: string) => user.click(await screen.findByRole('button', { name }));
    endFailure();
    await press('Try again');
    await press('Show more');
    await user.click(await screen.findByRole('checkbox', { name: 'zoe' }));
    await press('Save');
    await screen.findByText('STAFF is saved.');
    const { body } = await root.get('configuration/groups/STAFF');
    expect(body).toMatchObject({ groups: [{ members: ['zoe'] }] });
  },
);

it('is asked before one sees the service as the user, not after', async () => {
  const { user, name, service } = await openUser();
  await user.type(name, '!');
  const seeAs = () => user.click(screen.getByRole('button', { name: 'See as' }));
  const sent = () => service.calls.filter(({ method }) => method === 'POST');
  await seeAs();
  const question = await screen.findByRole('dialog', { name: 'Discard unsaved changes?' });
  await user.click(within(question).getByRole('button', { name: 'Cancel' }));
  expect(sent()).toHaveLength(0);
  expect(name).toHaveProperty('value', expect.stringMatching(/!$/));
});

it('is saved although the connection breaks within the answer', async () => {
  const { user, name, service, save, stored } = await openUser();
  await user.type(name, '!');
  const broken = () =>
    new Response(
      new ReadableStream({ start: (body) => body.error(new TypeError('network error')) }),
    );
  service.answerInstead('PATCH', broken);
  await save();
  await screen.findByText(/ is saved\.$/);
  expect(await stored()).toMatchObject({ displayName: expect.stringMatching(/!$/) });
});

it('says that somebody who is not active can do nothing now, whatever the rights', async () => {
  const { changeElsewhere } = await openUser();
  expect(screen.queryByText(/^Nothing now/)).toBeNull();
  await changeElsewhere({ active: false });
  expect(await screen.findByText(/^Nothing now: this person is not active/)).toBeTruthy();
});
