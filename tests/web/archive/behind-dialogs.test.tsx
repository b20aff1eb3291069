/** @module-tag slow */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { editor, form, openDesk, row } from './desk.tsx';

const desk = await openDesk();

const SAVE_AND_NEXT = '{Control>}{Enter}{/Control}';

it('keys of a dialog do not reach the form behind it', { tags: ['long'] }, async () => {
  const { user, writes } = await desk.open('?selected=1');
  const open = await form('1');
  await user.type(editor(open, 'Supplier'), ' behind');
  for (const id of ['2', '3']) {
    const [first] = within(await row(id)).getAllByRole('gridcell');
    await user.click(first ?? open);
  }
  await user.click(await screen.findByRole('button', { name: 'Correct together…' }));
  const dialog = await screen.findByRole('dialog', { name: 'Correct 2 revisions together' });
  await user.keyboard(`{Control>}s{/Control}${SAVE_AND_NEXT}{Alt>}{ArrowDown}{/Alt}{F8}`);
  expect(writes()).toEqual([]);
  await form('1');

  // Its own key still does what it says.
  await user.click(within(dialog).getByRole('combobox', { name: /field/i }));
  await user.click(await screen.findByRole('option', { name: /^Supplier/ }));
  await user.keyboard('Both');
  await within(dialog).findByRole('button', { name: /^Correct 2 revisions/ });
  await user.keyboard(SAVE_AND_NEXT);
  await within(dialog).findByText('2 revisions are corrected');
  expect(writes()).toHaveLength(1);
  expect((await desk.stored('1')).values[1]).toBe('Muller GmbH');
  expect((await desk.stored('2')).values[1]).toBe('Both');
  expect(editor(await form('1'), 'Supplier')).toHaveProperty('value', 'Muller GmbH behind');
});

it('the sheet of keys is closed by the key that opened it, and nothing behind it hears a key', async () => {
  const { user } = await desk.open('?selected=1');
  await user.type(editor(await form('1'), 'Supplier'), '!');
  await user.keyboard('{F1}');
  await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
  await user.keyboard('{Control>}k{/Control}{Control>}s{/Control}');
  expect(screen.queryByRole('dialog', { name: 'Go to' })).toBeNull();
  await user.keyboard('{F1}');
  await waitFor(() =>
    expect(screen.queryByRole('dialog', { name: 'Keyboard shortcuts' })).toBeNull(),
  );
  expect((await desk.stored('1')).values[1]).toBe('Muller GmbH');
});

it('keeps the browser from undoing in the search of the list, except within it', async () => {
  await desk.open();
  await row('1');
  expect(fireEvent.keyDown(document.body, { key: 'z', ctrlKey: true })).toBe(false);
  const search = screen.getByRole('searchbox', { name: /^Search in/ });
  expect(fireEvent.keyDown(search, { key: 'z', ctrlKey: true })).toBe(true);
});
