import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { chooseMore } from '../more-commands.ts';
import { form, openDesk } from './desk.tsx';

const desk = await openDesk();

it('has a heading for each section of a form', async () => {
  const { user } = await desk.open('?selected=1');
  const open = await form('1');
  await chooseMore(user, open, 'Preview request');
  expect(await within(open).findByRole('heading', { name: 'Preview request' })).toBeTruthy();
  expect(within(open).getByRole('heading', { name: 'Revision 1' })).toBeTruthy();
  const history = within(open).getByRole('heading', { name: 'History' });
  await user.click(within(history).getByRole('button', { name: 'History' }));
  expect(
    within(history).getByRole('button', { name: 'History' }).getAttribute('aria-expanded'),
  ).toBe('true');
  expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
});
