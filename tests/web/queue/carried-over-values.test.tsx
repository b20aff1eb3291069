/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { editor, form } from '../archive/desk.tsx';
import { atEnd, openQueueDesk } from './desk.tsx';

const desk = await openQueueDesk();
beforeEach(() => sessionStorage.clear());

const SAVE_AND_NEXT = '{Control>}{Enter}{/Control}';
const SKIP = '{Alt>}{ArrowDown}{/Alt}';
const value = (field: HTMLElement) => (field instanceof HTMLInputElement ? field.value : '');
const line = () => screen.queryByRole('group', { name: 'Fields carried over' })?.textContent;

it('a field is carried over in its own queue, over a reload, and in no other', async () => {
  const one = await desk.openQueue();
  const first = await form('1');
  await one.user.clear(editor(first, 'Supplier'));
  await one.user.type(editor(first, 'Supplier'), 'Maier');
  await one.user.keyboard(`{Control>}{Shift>}d{/Shift}{/Control}`);
  expect(line()).toBe('Carried overSupplier = Maier');
  await one.user.keyboard(SAVE_AND_NEXT);
  expect(value(editor(await form('2'), 'Supplier'))).toBe('Maier');
  expect(line()).toBe('Carried overSupplier = Maier');
  one.unmount();

  const other = await desk.openQueue('sort=-revisionId');
  expect(value(editor(await form('4'), 'Supplier'))).toBe('Too long a number');
  expect(line()).toBeUndefined();
  other.unmount();
});

it(
  'ends with the queue, or when it is released in the head of the form',
  { tags: ['long'] },
  async () => {
    const { user } = await desk.openQueue();
    const first = await form('1');
    editor(first, 'Supplier').focus();
    await user.keyboard(`{Control>}{Shift>}d{/Shift}{/Control}${SKIP}`);
    const second = await form('2');
    expect(value(editor(second, 'Supplier'))).toBe('Muller GmbH');
    await user.click(within(second).getByRole('button', { name: 'Stop carrying over Supplier' }));
    expect(line()).toBeUndefined();
    await user.keyboard(SKIP);
    const third = await form('3');
    expect(value(editor(third, 'Supplier'))).toBe('');
    await user.click(within(third).getByRole('button', { name: 'Carry over Amount' }));
    editor(third, 'Amount').focus();
    await user.keyboard(SKIP);
    await form('4');
    expect(line()).toBe('Carried overAmount');
    await user.keyboard(SKIP);
    await waitFor(() => expect(atEnd()).toBe(true));
    const bar = screen.getByRole('toolbar', { name: 'Queue' });
    await user.click(within(bar).getByRole('button', { name: /^Back/ }));
    await form('4');
    expect(line()).toBeUndefined();
  },
);
