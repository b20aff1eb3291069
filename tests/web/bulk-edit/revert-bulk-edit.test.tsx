import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { openDesk } from './desk.tsx';
import { bulkEditsAnswer } from '#shared/contract/bulk-edit-answers.ts';
import { choose, correctButton, type } from './moves.ts';

const desk = await openDesk();

it('takes all back in one step, keywords too', { tags: ['long'] }, async () => {
  const { user, writes } = await desk.open();
  await type(user, 'Supplier', 'Meier');
  const subject = await choose(user, 'SUBJECT');
  await user.click(
    [...subject.querySelectorAll('button')].find((button) =>
      /no keywords/i.test(button.getAttribute('aria-label') ?? button.textContent),
    ) ?? subject,
  );
  await user.click(correctButton());
  await screen.findByText('3 revisions are corrected');
  expect((await desk.stored('1')).revision?.keywordFields).toEqual([]);
  expect(screen.getByText(/while this page is open/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Undo all' }));
  await screen.findByText('3 revisions have their old values again');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Back to the list' }));
  expect(writes()).toHaveLength(2);
  const stored = await Promise.all(['1', '2', '3'].map(desk.stored));
  expect(stored.map(({ value }) => value('SUPPLIER'))).toEqual([
    'Muller GmbH',
    'Müller GmbH',
    null,
  ]);
  expect(stored[0]?.revision.keywordFields.map(({ value }) => value)).toEqual(['paper', 'ink']);
  expect(screen.queryByRole('button', { name: 'Undo all' })).toBeNull();
  const { body } = await desk.root.get(desk.inArchive('bulkedits'));
  const { bulkedits } = bulkEditsAnswer.parse(body);
  expect(bulkedits).toMatchObject([{ state: 'undone', counts: { takenBack: 3, left: 0 } }]);
});

it('leaves out what was edited since in the same field, and lists it', async () => {
  const { user, writes } = await desk.open();
  await type(user, 'Supplier', 'Meier');
  await user.click(correctButton());
  await screen.findByText('3 revisions are corrected');
  const change = (id: string, name: string, value: string | number) =>
    desk.root.patch(`${desk.pathOf(id)}/indexdata`, { indexFields: [{ name, value }] });
  await change('1', 'AMOUNT', 99);
  await change('2', 'SUPPLIER', 'Theirs');
  await user.click(screen.getByRole('button', { name: 'Undo all' }));
  await screen.findByText('2 revisions have their old values again');
  const list = screen.getByRole('list', { name: 'Not undone' });
  expect(list.textContent).toBe('Revision 2: Supplier edited by root');
  expect((await desk.stored('2')).value('SUPPLIER')).toBe('Theirs');
  const first = await desk.stored('1');
  expect([first.value('SUPPLIER'), first.value('AMOUNT')]).toEqual(['Muller GmbH', 99]);
  expect(writes().map(({ status }) => status)).toEqual([200, 200]);
});

it(
  'tries again over what somebody saves at the same moment, and passes over what is locked',
  { tags: ['long'] },
  async () => {
    const username = await desk.writingClerk();
    const { user, writes } = await desk.open(undefined, username);
    await type(user, 'Supplier', 'Meier');
    await user.click(correctButton());
    await screen.findByText('3 revisions are corrected');
    const { fetch } = globalThis;
    let met = false;
    vi.stubGlobal('fetch', async (...call: Parameters<typeof fetch>) => {
      if (call[1]?.method === 'PATCH' && !met) {
        met = true;
        await desk.root.patch(`${desk.pathOf('1')}/indexdata`, {
          indexFields: [{ name: 'AMOUNT', value: 99 }],
        });
        await desk.root.patch(desk.pathOf('3'), { locked: true });
      }
      return fetch(...call);
    });
    await user.click(screen.getByRole('button', { name: 'Undo all' }));
    await screen.findByText('2 revisions have their old values again');
    const list = screen.getByRole('list', { name: 'Not undone' });
    expect(list.textContent).toMatch(/^Revision 3: .*locked/);
    const first = await desk.stored('1');
    expect([first.value('SUPPLIER'), first.value('AMOUNT')]).toEqual(['Muller GmbH', 99]);
    expect(writes().map(({ status }) => status)).toEqual([200, 423, 423, 200]);
  },
);
