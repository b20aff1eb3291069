/** @module-tag slow */
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { COL, openGrids } from './open-grids.tsx';

const grids = await openGrids();

const panel = async () => within(await screen.findByRole('region', { name: 'Deleted records' }));

test('deleted records are listed with who deleted them; one’s own come back together', async () => {
  const { user, foot, path, stored } = await grids.open();
  const [first, , third] = await stored();
  await grids.root.delete(path, { datasets: [{ jrid: third?.jrid }] });
  await user.click(screen.getAllByRole('rowheader')[0] ?? document.body);
  await user.click(screen.getAllByRole('rowheader')[1] ?? document.body);
  await user.click(foot().getByRole('button', { name: 'Delete…' }));
  await user.click(await screen.findByRole('button', { name: 'Delete 2 records' }));
  await foot().findByText('2 records deleted.');

  await user.click(screen.getByRole('button', { name: 'Deleted records' }));
  const deleted = await panel();
  await waitFor(() => expect(deleted.getAllByRole('listitem')).toHaveLength(3));
  const words = deleted.getAllByRole('listitem').map((item) => item.textContent);
  expect(words.filter((text) => text.includes('You, '))).toHaveLength(2);
  expect(words.find((text) => text.includes('Ring'))).toContain('root, ');
  expect(deleted.getByText('Only the person who deleted a record can restore it.')).toBeTruthy();
  expect(deleted.getByRole('checkbox', { name: `Choose record ${third?.jrid}` })).toHaveProperty(
    'disabled',
    true,
  );

  await user.click(deleted.getByRole('checkbox', { name: 'All of yours' }));
  await user.click(deleted.getByRole('button', { name: 'Restore 2 records' }));
  await waitFor(async () => expect(await stored()).toHaveLength(2));
  expect((await stored())[0]).toEqual(first);
  await waitFor(() => expect(deleted.getAllByRole('listitem')).toHaveLength(1));
  await waitFor(() => expect(screen.getAllByRole('rowheader')).toHaveLength(3));
});

test('what is left of a deleted record is shown in its form', async () => {
  const { user, path, stored } = await grids.open();
  const third = (await stored())[2];
  await grids.root.delete(path, { datasets: [{ jrid: third?.jrid }] });
  await user.click(screen.getByRole('button', { name: 'Deleted records' }));
  await user.click(await (await panel()).findByRole('button', { name: /Ring/ }));
  expect(await screen.findByText(/^root deleted this record/)).toBeDefined();
  // In the grid the focus would open the record of its row.
  const form = await screen.findByRole('region', { name: `Record ${third?.jrid}` });
  await waitFor(() => expect(document.activeElement).toBe(form));
});

test(
  'the form of a deleted record takes the focus from the grid before the record is read',
  { tags: ['long'] },
  async () => {
    const { user, path, stored, service } = await grids.open();
    const third = (await stored())[2];
    await grids.root.delete(path, { datasets: [{ jrid: third?.jrid }] });
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(screen.getAllByRole('rowheader')).toHaveLength(3));
    const readOn = service.hold('GET', `datasets/${third?.jrid}`);
    await user.click(screen.getByRole('button', { name: 'Deleted records' }));
    fireEvent.click(await (await panel()).findByRole('button', { name: /Ring/ }));
    const grid = screen.getByRole('grid');
    // The fallback, once the button is removed.
    grid.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
    expect(grid.contains(document.activeElement)).toBe(true);
    await waitFor(() => expect(grid.contains(document.activeElement)).toBe(false));
    readOn();
    const form = await screen.findByRole('region', { name: `Record ${third?.jrid}` });
    await waitFor(() => expect(document.activeElement).toBe(form));
  },
);

test(
  'the form of a deleted record that is read late leaves the focus in the search',
  { tags: ['long'] },
  async () => {
    const { user, path, stored, service } = await grids.open();
    const third = (await stored())[2];
    await grids.root.delete(path, { datasets: [{ jrid: third?.jrid }] });
    await user.click(screen.getByRole('button', { name: 'Refresh' }));
    await waitFor(() => expect(screen.getAllByRole('rowheader')).toHaveLength(3));
    const readOn = service.hold('GET', `datasets/${third?.jrid}`);
    await user.click(screen.getByRole('button', { name: 'Deleted records' }));
    await user.click(await (await panel()).findByRole('button', { name: /Ring/ }));
    await screen.findByRole('region', { name: `Record ${third?.jrid}` });
    const search = screen.getByRole('searchbox');
    await user.click(search);
    await user.keyboard('B');
    readOn();
    await screen.findByText(/^root deleted this record/);
    await user.keyboard('olt');
    expect(search).toHaveProperty('value', 'Bolt');
  },
);

test(
  'the menu of a column opens by a key on its heading and widens it',
  { tags: ['long'] },
  async () => {
    const { user, focus } = await grids.open();
    await focus(0, COL.name);
    await user.keyboard('{ArrowUp}{Alt>}{ArrowDown}{/Alt}');
    const menu = within(await screen.findByRole('menu'));
    const width = () =>
      screen.getByRole('grid').style.getPropertyValue('--columns').split(' ')[COL.name];
    const before = parseInt(width() ?? '', 10);
    await user.click(menu.getByRole('menuitem', { name: 'Wider' }));
    await user.click(menu.getByRole('menuitem', { name: 'Wider' }));
    expect(width()).toBe(`${before + 48}px`);
    await user.click(menu.getByRole('menuitem', { name: 'Narrower' }));
    expect(width()).toBe(`${before + 24}px`);
  },
);

test(
  '? shows the keys on a cell that is not being edited, and is typed where one is',
  { tags: ['long'] },
  async () => {
    const { user, focus, cell, text } = await grids.open();
    await focus(1, COL.note);
    await user.keyboard('?');
    await screen.findByRole('dialog', { name: 'Keyboard shortcuts' });
    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(cell(1, COL.note)));
    await user.keyboard('{F2}?{Enter}');
    await waitFor(() => expect(text(1, COL.note)).toBe('?'));
  },
);
