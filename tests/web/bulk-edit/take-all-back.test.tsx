import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { openDesk } from './desk.tsx';
import { choose, correctButton, type } from './moves.ts';

const desk = await openDesk();

it('takes all back in one step, keywords too', async () => {
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
  expect(screen.getByText(/until you leave here; later the History of each revision/)).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Take all back' }));
  await screen.findByText('3 revisions hold their old values again');
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Back to the list' }));
  expect(writes()).toHaveLength(2);
  const stored = await Promise.all(['1', '2', '3'].map(desk.stored));
  expect(stored.map(({ value }) => value('SUPPLIER'))).toEqual([
    'Muller GmbH',
    'Müller GmbH',
    null,
  ]);
  expect(stored[0]?.revision.keywordFields.map(({ value }) => value)).toEqual(['paper', 'ink']);
  expect(screen.queryByRole('button', { name: 'Take all back' })).toBeNull();
});

it('leaves out what was edited since, and lists it', async () => {
  const { user, writes } = await desk.open();
  await type(user, 'Supplier', 'Meier');
  await user.click(correctButton());
  await screen.findByText('3 revisions are corrected');
  await desk.root.patch(`${desk.pathOf('2')}/indexdata`, {
    indexFields: [{ name: 'AMOUNT', value: 99 }],
  });
  await user.click(screen.getByRole('button', { name: 'Take all back' }));
  await screen.findByText('2 revisions hold their old values again');
  expect(screen.getByText('1 revision stays as it is now:')).toBeTruthy();
  expect(screen.getByText(/^Revision 2: .*changed meanwhile, last by root/)).toBeTruthy();
  expect((await desk.stored('2')).value('SUPPLIER')).toBe('Meier');
  expect((await desk.stored('1')).value('SUPPLIER')).toBe('Muller GmbH');
  expect(writes().map(({ status }) => status)).toEqual([200, 412, 200]);
});
