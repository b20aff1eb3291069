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

it('has a heading for each region of the page', { tags: ['long'] }, async () => {
  const views = `application/archiveapp/archives/${desk.table()}/views`;
  const view = { name: 'Not paid', shared: true, search: 'where%5BPAID%5D%5Bnull%5D=true' };
  expect((await desk.root.post(views, view)).status).toBe(201);
  await desk.open('?where[PAID][null]=true&selected=1');
  await form('1');
  for (const name of ['Views', 'Filter', 'Revisions', 'Revision 1']) {
    expect(await screen.findByRole('heading', { name, level: 2 })).toBeTruthy();
  }
  const regions = screen.getAllByRole('region').map((region) => region.getAttribute('aria-label'));
  expect(regions).toEqual(expect.arrayContaining(['Views', 'Filter', 'Revisions']));
});
