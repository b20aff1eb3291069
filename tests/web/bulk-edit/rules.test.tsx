import { isDisabled } from '#tests/support/is-disabled.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openDesk, row } from '../archive/desk.tsx';

const desk = await openDesk();
const QUESTION = { name: 'Discard what is not saved?' };

it('asks before the rules of a bulk edit are lost, until they are applied', async () => {
  const { user } = await desk.open();
  await user.click(within(await row('1')).getAllByRole('gridcell')[0] ?? document.body);
  await user.click(await screen.findByRole('button', { name: 'By rules…' }));
  const dialog = within(await screen.findByRole('dialog', { name: /by rules$/ }));
  await user.click(await dialog.findByRole('combobox', { name: /^Which field/ }));
  await user.click(await screen.findByRole('option', { name: 'Note' }));
  await user.type(await dialog.findByLabelText('Value'), 'checked');
  const press = (name: string) => user.click(dialog.getByRole('button', { name }));
  const stay = async () => {
    const question = await screen.findByRole('dialog', QUESTION);
    await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.queryByRole('dialog', QUESTION)).toBeNull());
  };
  await user.keyboard('{Escape}');
  await stay();
  await press('Close');
  await stay();
  await press('Cancel');
  await stay();
  expect(dialog.getByLabelText('Value')).toHaveProperty('value', 'checked');
  await user.keyboard('{Control>}{Enter}{/Control}');
  const apply = await dialog.findByRole('button', { name: /^Change 1 revision/ });
  await waitFor(() => expect(isDisabled(apply)).toBe(false));
  await user.click(apply);
  await dialog.findByText(/^1 revision changed/);
  await user.keyboard('{Escape}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
