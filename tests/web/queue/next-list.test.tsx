import { screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import { editor, form, grid, row, shownIds } from '../archive/desk.tsx';
import { atEnd, openQueueDesk } from './desk.tsx';

const desk = await openQueueDesk();

const NEXT_LIST = '{Control>}{Shift>}{Enter}{/Shift}{/Control}';
const SAVE_AND_NEXT = '{Control>}{Enter}{/Control}';
const missing = (field: string) => new URLSearchParams({ [`where[${field}][null]`]: 'true' });

// The third has no supplier, the second and the fourth no due date, all an invoice number.
beforeEach(async () => {
  for (const [name, search] of [
    ['Due missing', missing('DUE')],
    ['Highest first', new URLSearchParams({ sort: '-AMOUNT' })],
    ['Number missing', missing('INVOICENO')],
    ['Supplier missing', missing('SUPPLIER')],
  ] as const) {
    const { status, text } = await desk.root.post(
      `application/archiveapp/archives/${desk.table()}/views`,
      { name, shared: true, search: search.toString() },
    );
    if (status !== 201) throw new Error(text);
  }
});

it(
  'says of a list that is worked off that it is done, and leads by a key to the next with revisions left',
  { tags: ['slow'] },
  async () => {
    await desk.changeElsewhere('3', { SUPPLIER: 'Maier' });
    const { user, search } = await desk.open('?where[SUPPLIER][null]=true&sort=-AMOUNT&selected=3');
    await form('3');
    expect(await screen.findByText('Nothing is left in “Supplier missing”')).toBeTruthy();
    await screen.findByRole('button', { name: /^Next list: Due missing \(2\)/ });
    await user.keyboard(NEXT_LIST);
    await waitFor(async () => expect(await shownIds()).toEqual(['2', '4']));
    expect(search()).toMatchObject({ 'where[DUE][null]': 'true' });
    expect(search()).not.toHaveProperty('selected');
    const list = await grid();
    await waitFor(() => expect(list.contains(document.activeElement)).toBe(true));
  },
);

it(
  'says where nothing is left in any list, and of a filter that is none only that nothing matches',
  { tags: ['long'] },
  async () => {
    await desk.changeElsewhere('3', { SUPPLIER: 'Maier' });
    await desk.changeElsewhere('2', { DUE: '2026-03-01' });
    await desk.changeElsewhere('4', { DUE: '2026-03-01' });
    const { user } = await desk.open('?where[DUE][null]=true');
    expect(await screen.findByText('Nothing is left in “Due missing”')).toBeTruthy();
    expect(await screen.findByText('Nothing is left in any other list.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Show all revisions' }));
    await row('1');
    await user.type(screen.getByRole('searchbox'), 'nowhere');
    expect(await screen.findByText('No revision matches')).toBeTruthy();
  },
);

it('starts the next list from the end of a queue', { tags: ['long'] }, async () => {
  const { user, service } = await desk.openQueue('where[SUPPLIER][null]=true&sort=-AMOUNT');
  const third = await form('3');
  await user.click(editor(third, 'Supplier'));
  await user.keyboard(`Maier${SAVE_AND_NEXT}`);
  await waitFor(() => expect(atEnd()).toBe(true));
  await screen.findByRole('button', { name: /^Next list: Due missing \(2\)/ });
  await user.keyboard(NEXT_LIST);
  await form('2');
  const made = service.calls.findLast(
    ({ method, url }) => method === 'POST' && url.endsWith('/queues'),
  );
  expect(made?.body).toEqual({ name: 'Due missing', filter: missing('DUE').toString() });
  expect(screen.getByRole('toolbar', { name: 'Queue' }).textContent).toContain('1 of 2');
});

it(
  'opens the list again at the field that it is about, and continues in it',
  { tags: ['long'] },
  async () => {
    const { user } = await desk.openQueue('where[DUE][null]=true');
    const second = await form('2');
    await waitFor(() => expect(document.activeElement).toBe(editor(second, 'Due')));
    await user.click(editor(second, 'Supplier'));
    await user.keyboard(`Maier${SAVE_AND_NEXT}`);
    const fourth = await form('4');
    await waitFor(() => expect(document.activeElement).toBe(editor(fourth, 'Due')));
    await user.click(editor(fourth, 'Supplier'));
    const bar = screen.getByRole('toolbar', { name: 'Queue' });
    within(bar).getByRole('button', { name: /^To Due/ });
    await user.keyboard('{F9}');
    await waitFor(() => expect(document.activeElement).toBe(editor(fourth, 'Due')));
    await user.keyboard('{Alt>}{ArrowUp}{/Alt}');
    const again = await form('2');
    await waitFor(() => expect(document.activeElement).toBe(editor(again, 'Due')));
  },
);
