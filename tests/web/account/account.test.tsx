/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { TOTP } from 'otpauth';
import { expect, it, onTestFinished, vi } from 'vitest';
import { addTotp } from '#server/modules/factors/factors.service.ts';
import { createdFactorAnswer } from '#shared/contract/factors.ts';
import { accessTokensAnswer } from '#shared/contract/access-tokens.ts';
import { setLocaleSource, userLocale } from '#shared/messages/format.ts';
import { buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { Authenticator } from '#tests/support/authenticator.ts';
import { BUILDER, buildArchive, rightOn } from '#tests/support/builders.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { renderApp } from '#tests/support/render-app.tsx';
import { applyFormatsOf } from '#web/ui/format-locale.ts';

const SECRET = 'GEZDGNBVGY3TQOJQ';
const service = await openApp(testDatabases('sqlite').open);
const archive = await buildArchive(service.database, [{ name: 'TOTAL', label: 'Total' }]);
let users = 0;

/** Opens the account of a new user. */
async function open() {
  const username = `clerk-${++users}`;
  const rights = [rightOn(archive, 'write')];
  const { id } = await buildUser(service.database, { username, rights });
  const page = await renderApp(service.app, '/account', { as: { username, password: PASSWORD } });
  const press = async (name: string) =>
    page.user.click(await screen.findByRole('button', { name }));
  const listOf = async (name: string) => within(await screen.findByRole('list', { name }));
  return { ...page, id, username, press, listOf };
}

/** The service refuses the next call of the method. */
function refusal(): Response {
  const body = { code: 'conflict', errors: { '-': ['Not now.'] }, requestId: 'r' };
  return Response.json(body, { status: 409 });
}

it('makes a token that is shown once, and revokes it', async () => {
  const { user, username, press, listOf, service: network } = await open();
  await screen.findByText('You have no token.');
  await press('Create a token');
  const dialog = within(await screen.findByRole('dialog', { name: 'Create a token' }));
  expect(dialog.queryByRole('checkbox', { name: 'With administration' })).toBeNull();
  await user.click(dialog.getByRole('button', { name: 'Create a token' }));
  await dialog.findByText('Enter a name.');
  await user.type(dialog.getByRole('textbox', { name: /^Name/ }), 'Nightly import');
  await user.click(await dialog.findByRole('checkbox', { name: archive.name }));
  await user.click(dialog.getByRole('button', { name: 'Create a token' }));
  const token = (await dialog.findByLabelText('Token')).textContent ?? '';
  expect(token).toMatch(/^idx_/);
  const called = await service.app.inject({
    url: `/api/rest/v2/application/users/${username}/archives`,
    headers: { authorization: `Bearer ${token}` },
  });
  expect(called.statusCode).toBe(200);
  await user.click(dialog.getByRole('button', { name: 'I have stored the token' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(document.body.textContent).not.toContain(token);

  const tokens = await listOf('Tokens');
  tokens.getByText('Nightly import');
  tokens.getByText('On 1 archive or table');
  const client = await service.signedIn(username);
  const stored = async () =>
    accessTokensAnswer.parse((await client.get(`application/users/${username}/tokens`)).body)
      .tokens;
  expect(await stored()).toMatchObject([
    { name: 'Nightly import', right: 'read', archives: [archive.name], tables: [] },
  ]);

  await press('Revoke Nightly import');
  const confirmation = within(await screen.findByRole('dialog', { name: 'Revoke Nightly import' }));
  network.answerInstead('DELETE', refusal);
  await user.click(confirmation.getByRole('button', { name: 'Revoke' }));
  expect((await confirmation.findByRole('alert')).textContent).toContain('Not now.');
  await user.click(confirmation.getByRole('button', { name: 'Revoke' }));
  await screen.findByText('You have no token.');
  expect(await stored()).toEqual([]);
});

it(
  'changes second factors after a code, and shows why it could not',
  { tags: ['long'] },
  async () => {
    const { user, id, press, listOf, service: network, queryClient } = await open();
    await screen.findByText('No second factor is set up.');
    await service.database.write(async (db) => {
      await addTotp(db, id, { secret: SECRET, name: 'My phone', lastStep: 0 }, BUILDER);
      await db.k
        .updateTable('sessions')
        .set({ confirmed_at: 0 })
        .where('user_id', '=', id)
        .execute();
    });
    await queryClient.invalidateQueries();
    await screen.findByText('To change second factors, first confirm your identity.');
    const factors = await listOf('Second factor');
    expect(factors.getByRole('button', { name: 'Remove My phone' })).toHaveProperty(
      'disabled',
      true,
    );
    await press('Use a code');
    const code = screen.getByRole('textbox', { name: /^Code of your authenticator app/ });
    await user.type(code, 'AAAAA-AAAAA{Enter}');
    await screen.findByText(/^This code is wrong/);
    await user.clear(code);
    await user.type(code, `${new TOTP({ secret: SECRET }).generate()}{Enter}`);
    await waitFor(() =>
      expect(factors.getByRole('button', { name: 'Remove My phone' })).toHaveProperty(
        'disabled',
        false,
      ),
    );

    await press('Rename My phone');
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename My phone' }));
    const name = dialog.getByRole('textbox', { name: /^Name/ });
    await user.clear(name);
    await user.type(name, 'Old phone{Enter}');
    const remove = await screen.findByRole('button', { name: 'Remove Old phone' });
    network.answerInstead('DELETE', refusal);
    await user.click(remove);
    await screen.findByText('The second factor was not removed');
    await user.click(remove);
    await screen.findByText('No second factor is set up.');
  },
);

it('changes second factors after a passkey', { tags: ['long'] }, async () => {
  const site = { rpId: 'localhost', origin: 'http://localhost' };
  const authenticator = new Authenticator();
  /** What jsdom lacks: the answer of an authenticator. */
  class Credential {
    static readonly parseRequestOptionsFromJSON = (options: unknown) => options;
    readonly toJSON: () => unknown;
    constructor(answer: unknown) {
      this.toJSON = () => answer;
    }
  }
  vi.stubGlobal('PublicKeyCredential', Credential);
  Object.defineProperty(navigator, 'credentials', {
    configurable: true,
    value: {
      get: ({ publicKey: { challenge } }: { publicKey: { challenge: string } }) =>
        Promise.resolve(new Credential(authenticator.get({ ...site, challenge }))),
    },
  });
  onTestFinished(() => {
    vi.unstubAllGlobals();
    Reflect.deleteProperty(navigator, 'credentials');
  });
  const { id, username, press, queryClient } = await open();
  const client = await service.signedIn(username);
  const enrol = async (factor: object) =>
    createdFactorAnswer.parse(
      (await client.post(`application/users/${username}/factors`, { factor })).body,
    );
  const { enrolment: { challenge = '' } = {} } = await enrol({ kind: 'passkey' });
  const attestation = authenticator.create({ ...site, challenge });
  await enrol({ kind: 'passkey', name: 'Key ring', challenge, attestation });
  await service.database.write((db) =>
    db.k.updateTable('sessions').set({ confirmed_at: 0 }).where('user_id', '=', id).execute(),
  );
  await queryClient.invalidateQueries();
  await screen.findByText('To change second factors, first confirm your identity.');
  await press('Use a passkey');
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Remove Key ring' })).toHaveProperty(
      'disabled',
      false,
    ),
  );
  await press('Remove Key ring');
  await screen.findByText('No second factor is set up.');
});

it('ends other sessions, and shows which could not be ended', async () => {
  const { user, username, press, listOf, service: network, queryClient } = await open();
  const other = await service.signedIn(username);
  await queryClient.invalidateQueries();
  const sessions = await listOf('Sessions');
  await waitFor(() => expect(sessions.getAllByRole('listitem')).toHaveLength(2));
  expect(sessions.getAllByText('This session')).toHaveLength(1);
  const [end] = sessions.getAllByRole('button', { name: /^End the session of/ });
  network.answerInstead('DELETE', refusal);
  await user.click(end ?? document.body);
  await screen.findByText('The session was not ended');
  await press('End all other sessions');
  await screen.findByText('You have no other session.');
  expect((await other.get('application/sessions')).status).toBe(401);
});

it('ends other sessions of a user whose sign-in was long ago after a password', async () => {
  const { user, id, username, press, listOf, queryClient } = await open();
  await service.database.write((db) =>
    db.k
      .updateTable('sessions')
      .set({ created_at: 0, confirmed_at: 0 })
      .where('user_id', '=', id)
      .execute(),
  );
  const other = await service.signedIn(username);
  await queryClient.invalidateQueries();
  const sessions = await listOf('Sessions');
  await waitFor(() => expect(sessions.getAllByRole('listitem')).toHaveLength(2));
  await press('End all other sessions');
  const ask = await screen.findByText('To end other sessions, first confirm your identity.');
  expect((await other.get('application/sessions')).status).toBe(200);
  const form = within(ask.parentElement ?? document.body);
  await user.type(form.getByLabelText(/^Current password/), `${PASSWORD}{Enter}`);
  await screen.findByText('You have no other session.');
  expect((await other.get('application/sessions')).status).toBe(401);
});

it('says how strong a new password is, and changes it', { tags: ['long'] }, async () => {
  const { user, username, press } = await open();
  const password = await screen.findByLabelText(/^New password\s*\*?$/);
  const typed = async (text: string, verdict: string | RegExp) => {
    await user.clear(password);
    await user.type(password, text);
    await screen.findByText(verdict);
  };
  await typed('liver', '5 more characters are needed.');
  await typed('Liverpool#1892', /^The password is too common/);
  await typed('rusty gates', 'This password is accepted. A longer one is stronger.');
  await typed('seven rusty gates', 'This password is strong.');
  await user.type(screen.getByLabelText(/^Current password/), PASSWORD);
  await user.type(screen.getByLabelText(/^New password again/), 'seven rusty gates');
  await press('Change password');
  await waitFor(() =>
    expect(screen.getByLabelText(/^Current password/)).toHaveProperty('value', ''),
  );
  expect((await service.client().signIn(username, 'seven rusty gates')).status).toBe(201);
});

it('writes numbers and dates as the user chooses', async () => {
  onTestFinished(() => {
    localStorage.clear();
    setLocaleSource(() => navigator.language);
  });
  const { user, username } = await open();
  const formats = await screen.findByRole('combobox', { name: /^Numbers and dates/ });
  expect(formats).toHaveProperty('value', 'As the browser: 2026-12-31, 1,234.50');
  await user.click(formats);
  await user.click(await screen.findByRole('option', { name: /^German \(Germany\)/ }));
  expect(formats).toHaveProperty('value', 'German (Germany): 31.12.2026, 1.234,50');
  expect(userLocale()).toBe('de-DE');
  // It is the user's own, and is there the next time.
  applyFormatsOf('somebody else');
  expect(userLocale()).toBe('en-CA');
  applyFormatsOf(username);
  expect(userLocale()).toBe('de-DE');
});

it('is opened from a menu that names the role', async () => {
  const { user, username } = await open();
  await user.click(await screen.findByRole('button', { name: username }));
  expect(await screen.findByText(`${username} · Clerk`)).toBeTruthy();
});
