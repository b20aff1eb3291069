/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { checksAnswer } from '#shared/contract/check-answers.ts';
import { editor, form, openDesk, row, shownIds } from './desk.tsx';

const desk = await openDesk();

/** The checks of the archive, once all of them are counted. */
async function counted() {
  return vi.waitFor(async () => {
    const { body } = await desk.root.get(`application/archiveapp/archives/${desk.table()}/checks`);
    const { checks } = checksAnswer.parse(body);
    expect(checks.every(({ count }) => count !== null)).toBe(true);
    return checks;
  });
}

it('The checks of a list are in a menu with their counts, and filter it by what they find', async () => {
  const found = (await counted()).find(({ name }) => name === '_rules');
  expect(found?.count).toBe(1);
  const { user, search, service } = await desk.open('?sort=-AMOUNT');
  expect(await shownIds()).toEqual(['2', '1', '4', '3']);
  expect(service.calls.some(({ url }) => url.includes('findings=true'))).toBe(false);
  const openMenu = async () => {
    await user.click(await screen.findByRole('button', { name: /^Checks/ }));
    return within(await screen.findByRole('menu', { name: /^Checks/ }));
  };
  const item = await (
    await openMenu()
  ).findByRole('menuitem', { name: `${found?.label} Warning 1` });
  await user.click(item);
  await waitFor(async () => expect(await shownIds()).toEqual(['4']));
  expect(search()).toEqual({ 'where[check][eq]': '_rules', sort: '-AMOUNT' });
  await screen.findByRole('button', { name: 'Correct this one' });
  await screen.findByRole('button', { name: `Finding: ${found?.label}` });
  const [, , invoice] = within(await row('4')).getAllByRole('gridcell');
  expect(invoice?.title).toContain(`Warning: ${found?.label}`);
  expect(invoice?.textContent).toContain(`Warning: ${found?.label}`);

  await user.click((await openMenu()).getByRole('menuitem', { name: 'Records without findings' }));
  await waitFor(async () => expect(await shownIds()).toEqual(['2', '1', '3']));
  expect(search()).toEqual({ 'where[check][null]': 'true', sort: '-AMOUNT' });
  await user.click(screen.getByRole('button', { name: 'Remove: No finding' }));
  await waitFor(async () => expect(await shownIds()).toEqual(['2', '1', '4', '3']));
});

it(
  'What checks find is a column of the list, up to date after a save',
  { tags: ['long'] },
  async () => {
    const label = (await counted()).find(({ name }) => name === '_rules')?.label;
    const { user } = await desk.open('?columns=revisionId,check,INVOICENO');
    await screen.findByRole('columnheader', { name: /^Findings/ });
    const findings = async (id: string) => within(await row(id)).getAllByRole('gridcell')[2];
    expect((await findings('1'))?.textContent).toBe('');
    expect((await findings('4'))?.textContent).toBe(`Warning: ${label}`);
    await user.dblClick(await row('4'));
    const shown = await form('4');
    await user.clear(editor(shown, 'Invoice no.'));
    await user.type(editor(shown, 'Invoice no.'), 'R-4{Control>}s{/Control}');
    await waitFor(async () => expect((await findings('4'))?.textContent).toBe(''));
  },
);
