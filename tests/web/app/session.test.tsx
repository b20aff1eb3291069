import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { PASSWORD } from '#tests/support/app.ts';
import { form, openDesk, row } from '../archive/desk.tsx';

const desk = await openDesk();

function unauthenticated(): Response {
  const body = { code: 'unauthenticated', errors: { '-': ['Sign in first.'] }, requestId: 'r' };
  return Response.json(body, { status: 401 });
}

it('continues in the session that another tab has begun while a call was under way', async () => {
  const { service, user } = await desk.open();
  const first = await row('1');
  await service.signIn('anna', PASSWORD);
  service.answerInstead('GET', unauthenticated);
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
