/** @module-tag slow */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openQueueDesk, shownId } from '../queue/desk.tsx';
import { form, grid, row } from './desk.tsx';

const desk = await openQueueDesk();

/** Ctrl+Enter held down: one press and nine repetitions of it. */
const HELD = '{Control>}{Enter>10/}{/Control}';

/** Opens the rules for the revisions 1 and 2, with one rule that empties a field. */
async function openRules() {
  const page = await desk.open();
  const { user } = page;
  for (const id of ['1', '2']) {
    await user.click(within(await row(id)).getAllByRole('gridcell')[0] ?? (await grid()));
  }
  await user.click(await screen.findByRole('button', { name: 'By rules…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Correct 2 revisions by rules' });
  await user.click(await within(dialog).findByRole('combobox', { name: /Which field/ }));
  await user.click(await screen.findByRole('option', { name: 'Supplier' }));
  const rule = await within(dialog).findByRole('group', { name: 'Supplier' });
  await user.type(within(rule).getByLabelText('Value'), 'Same GmbH');
  return { ...page, dialog };
}

it('a held Ctrl+Enter plans by rules once and applies nothing; the next press applies what is shown', async () => {
  const { user, writes, dialog } = await openRules();
  await user.keyboard(HELD);
  await within(dialog).findByText('2 revisions would change; nothing is changed yet');
  const change = within(dialog).getByRole('button', { name: 'Change 2 revisions' });
  await waitFor(() => expect(change).toBe(document.activeElement));
  // The key is still down.
  fireEvent.keyDown(change, { key: 'Enter', code: 'Enter', ctrlKey: true, repeat: true });
  fireEvent.keyDown(change, { key: 'Enter', code: 'Enter', repeat: true });
  expect(writes()).toHaveLength(1);
  await user.keyboard(HELD);
  await within(dialog).findByText('2 revisions changed');
  expect(writes().map(({ url }) => url.split('/').at(-1))).toEqual(['bulkedits', 'apply']);
});

it(
  'the key that applies waits until the planned changes are drawn',
  { tags: ['long'] },
  async () => {
    const { user, service, writes, dialog } = await openRules();
    const readOn = service.hold('GET');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await within(dialog).findByText('2 revisions would change; nothing is changed yet');
    const change = within(dialog).getByRole('button', { name: 'Change 2 revisions' });
    await user.keyboard('{Control>}{Enter}{/Control}');
    await user.click(change);
    expect(writes()).toHaveLength(1);
    readOn();
    await waitFor(() => expect(change).toBe(document.activeElement));
    await user.keyboard('{Control>}{Enter}{/Control}');
    await within(dialog).findByText('2 revisions changed');
  },
);

it('a held Ctrl+Enter settles one revision of a queue', { tags: ['long'] }, async () => {
  const { user, kept } = await desk.openQueue();
  await form('1');
  await user.keyboard(HELD);
  await form('2');
  expect(shownId()).toBe('2');
  await waitFor(async () => {
    expect(await kept()).toMatchObject({ position: 1, counts: { corrected: 0, unchanged: 1 } });
  });
});

it('a held Enter presses the button it began on, and no other', { tags: ['long'] }, async () => {
  const { user, dialog, writes } = await openRules();
  within(dialog).getByRole('button', { name: 'Preview' }).focus();
  await user.keyboard('{Enter>10/}');
  await within(dialog).findByText('2 revisions would change; nothing is changed yet');
  expect(writes()).toHaveLength(1);
});
