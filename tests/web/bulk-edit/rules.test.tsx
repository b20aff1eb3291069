/** @module-tag slow */
import { isDisabled } from '#tests/support/is-disabled.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openDesk, row } from '../archive/desk.tsx';
import { type } from './moves.ts';

const desk = await openDesk();
const QUESTION = { name: 'Discard unsaved changes?' };

/** Selects the first revision and opens the bulk edit of a button. */
async function openFor(
  user: Awaited<ReturnType<typeof desk.open>>['user'],
  button: string,
  name?: RegExp,
) {
  await user.click(within(await row('1')).getAllByRole('gridcell')[0] ?? document.body);
  await user.click(await screen.findByRole('button', { name: button }));
  return within(await screen.findByRole('dialog', name && { name }));
}

/** Opens a select. @returns the labels of its options */
async function optionsOf(
  user: Awaited<ReturnType<typeof desk.open>>['user'],
  select: HTMLElement,
): Promise<readonly (string | null)[]> {
  await user.click(select);
  const list = within(await screen.findByRole('listbox'));
  return list.getAllByRole('option').map(({ textContent }) => textContent);
}

it('asks before the rules of a bulk edit are lost, until they are applied', async () => {
  const { user } = await desk.open();
  const dialog = await openFor(user, 'By rules…', /by rules$/);
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

const ALL_INDEX_FIELDS = ['Invoice no.', 'Supplier', 'Amount', 'Paid', 'Due', 'Note'];
const WRITABLE = ALL_INDEX_FIELDS.filter((label) => label !== 'Supplier');

/** A clerk who may only read some fields, by name. */
async function clerkWithReadOnlyFields(...names: readonly [string, ...string[]]): Promise<string> {
  const username = await desk.userWith('write');
  const fields = Object.fromEntries(names.map((name) => [name, 'read']));
  const rights = { archives: { [desk.table()]: { right: 'write', fields } } };
  const { status } = await desk.root.patch(`configuration/users/${username}`, { user: { rights } });
  expect(status).toBe(200);
  return username;
}

it('offers rules for fields that the user may change; other fields can be copied from', async () => {
  const { user } = await desk.open(
    '',
    await clerkWithReadOnlyFields('SUPPLIER', 'keyword.SUBJECT'),
  );
  const dialog = await openFor(user, 'By rules…', /by rules$/);
  const which = await dialog.findByRole('combobox', { name: /^Which field/ });
  expect(await optionsOf(user, which)).toEqual(WRITABLE);
  await user.click(screen.getByRole('option', { name: 'Note' }));
  await user.click(await dialog.findByRole('combobox', { name: /Note/ }));
  await user.click(await screen.findByRole('option', { name: /another field/i }));
  const from = await dialog.findByRole('combobox', { name: /^Copy/i });
  const others = ALL_INDEX_FIELDS.filter((label) => label !== 'Note');
  expect(await optionsOf(user, from)).toEqual(others);
});

it('offers to correct only fields that the user may change', async () => {
  const { user } = await desk.open(
    '',
    await clerkWithReadOnlyFields('SUPPLIER', 'keyword.SUBJECT'),
  );
  const dialog = await openFor(user, 'Correct together…');
  const which = await dialog.findByRole('combobox', { name: /which field/i });
  expect(await optionsOf(user, which)).toEqual(WRITABLE);
});

it.each(['By rules…', 'Correct together…'])(
  'says by “%s” that the user may change no field',
  async (button) => {
    const names = ['INVOICENO', 'SUPPLIER', 'AMOUNT', 'PAID', 'DUE', 'NOTE'] as const;
    const clerk = await clerkWithReadOnlyFields(...names, 'keyword.SUBJECT');
    const { user } = await desk.open('', clerk);
    const dialog = await openFor(user, button);
    await dialog.findByText(
      /^You can read the (?:index )?fields of this archive, but you cannot change them/,
    );
    expect(dialog.queryByRole('combobox')).toBeNull();
  },
);

it(
  'asks before another page is opened over a correction that is not sent',
  { tags: ['long'] },
  async () => {
    const { user, navigate, history } = await desk.open();
    const dialog = await openFor(user, 'Correct together…');
    await type(user, 'Note', 'checked');
    const { pathname } = history.location;
    void navigate({ to: '/' });
    const question = await screen.findByRole('dialog', { name: 'Leave without saving?' });
    await user.click(within(question).getByRole('button', { name: 'Cancel' }));
    expect(history.location.pathname).toBe(pathname);
    expect(
      within(dialog.getByRole('group', { name: 'Note' })).getByLabelText('Note'),
    ).toHaveProperty('value', 'checked');
  },
);
