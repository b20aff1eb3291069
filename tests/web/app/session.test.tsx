/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { TOTP } from 'otpauth';
import { addTotp } from '#server/modules/factors/factors.service.ts';
import { buildUser, PASSWORD } from '#tests/support/app.ts';
import { BUILDER } from '#tests/support/builders.ts';
import { editor, form, openDesk, row } from '../archive/desk.tsx';

const desk = await openDesk();

function unauthenticated(): Response {
  const body = { code: 'unauthenticated', errors: { '-': ['Sign in first.'] }, requestId: 'r' };
  return Response.json(body, { status: 401 });
}

it('continues in the session that another tab has begun while a call was under way', async () => {
  const { service, user } = await desk.open();
  const first = await row('1');
  await service.signIn('anna', PASSWORD);
  // Not the page's own look for its session, when the last view was sent by the former one.
  service.answerInstead('GET', unauthenticated, '/documents/1');
  await user.click(first);
  await form('1');
  expect(screen.queryByRole('dialog')).toBeNull();
});

it('asks to sign in where the session has ended, and repeats the call afterwards', async () => {
  const { service, user } = await desk.open();
  const first = await row('1');
  await service.expireSession();
  await user.click(first);
  await screen.findByRole('dialog', { name: 'Your session has ended' });
  await user.type(screen.getByLabelText('Password'), `${PASSWORD}{Enter}`);
  await form('1');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

it(
  'offers to go on as another user who signs in in another tab after the session has ended',
  { tags: ['long'] },
  async () => {
    await buildUser(desk.service.database, { username: 'otto', displayName: 'Otto Other' });
    const { service, user } = await desk.open();
    const first = await row('1');
    await service.expireSession();
    await user.click(first);
    await screen.findByRole('dialog', { name: 'Your session has ended' });
    await service.signIn('otto', PASSWORD);
    focus();
    await screen.findByRole('dialog', { name: 'Otto Other is signed in now' });
    expect(screen.getByRole('button', { name: 'Continue as Otto Other' })).toBeDefined();
  },
);

it(
  'continues when the same user signs in in another tab after the session has ended',
  { tags: ['long'] },
  async () => {
    const { service, user } = await desk.open();
    const first = await row('1');
    await service.expireSession();
    await user.click(first);
    await screen.findByRole('dialog', { name: 'Your session has ended' });
    await service.signIn('anna', PASSWORD);
    focus();
    await form('1');
    expect(screen.queryByRole('dialog')).toBeNull();
  },
);

/** As a user who comes back to the tab. */
function focus() {
  document.dispatchEvent(new Event('visibilitychange'));
}

it(
  'asks for the second factor there too, and loses nothing that was typed',
  { tags: ['long'] },
  async () => {
    const { id } = await buildUser(desk.service.database, {
      username: 'nora',
      role: 'administrator',
    });
    const { service, user } = await desk.open('?selected=1', 'nora');
    const open = await form('1');
    await user.type(editor(open, 'Supplier'), ' & Co');
    const secret = 'GEZDGNBVGY3TQOJQ';
    await desk.service.database.write((db) =>
      addTotp(db, id, { secret, name: 'App', lastStep: 0 }, BUILDER),
    );
    await service.expireSession();
    await user.click(within(open).getByRole('button', { name: /^Save changes/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Your session has ended' }));
    await user.type(dialog.getByLabelText('Password'), `${PASSWORD}{Enter}`);
    const code = await dialog.findByLabelText('Code of your authenticator app');
    await user.type(code, `${new TOTP({ secret }).generate()}{Enter}`);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await within(open).findByText('Nothing changed');
    expect((await desk.stored('1')).values).toContain('Muller GmbH & Co');
  },
);
