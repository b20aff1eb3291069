/** @module-tag slow */
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { datasetsAnswer } from '#shared/contract/answers.ts';
import { sampled } from '#tests/support/effort.ts';
import { COL, openGrids } from './open-grids.tsx';

const grids = await openGrids();

const TYPE_AGAIN = /^What you typed was not entered/;

const recordOf = (number: number) =>
  [`R-${number}`, `Part ${number}`, null, number, true, null, null] as const;

/** @param count more than 100 are several pages of the list */
const open = (count: number) =>
  grids.open({ rows: Array.from({ length: count }, (_, i) => recordOf(i + 1)) });

type Page = Awaited<ReturnType<typeof open>>;

/** The code, name and pieces of the records that are not as at the start. */
async function changed({ path }: Page) {
  const { body } = await grids.root.get(`${path}?limit=1000`);
  return datasetsAnswer.parse(body).datasets.flatMap(({ jrid, code, name, pieces }) => {
    const [, name0, , pieces0] = recordOf(Number(jrid));
    return name === name0 && pieces === pieces0 ? [] : [[code, name, pieces]];
  });
}

/** The largest number of pieces first: the first record becomes the last. */
async function sortBackwards({ user, search }: Page) {
  const heading = screen.getByRole('columnheader', { name: /^Pieces/ });
  await user.click(heading);
  await user.click(heading);
  await waitFor(() => expect(search()).toMatchObject({ sort: '-pieces' }));
}

/** The ends of the addresses of pages of the list. */
const firstSortedPage = 'sort=-pieces&limit=100&offset=0&findings=true';
const secondPage = 'limit=100&offset=100&findings=true';

describe('after sorting, keys go to the record that had the focus', () => {
  test('when its place in the order is known', { tags: ['long'] }, async () => {
    const page = await open(250);
    const { user, text, service, foot } = page;
    await page.focus(0, COL.name);
    const answer = service.hold('GET', 'jrid=1');
    await sortBackwards(page);
    await waitFor(() => expect(text(0, COL.code)).toBe('R-250'));
    await user.keyboard('Bolt{Tab}{Tab}12{Enter}');
    answer();
    await foot().findByText('Saved');
    await waitFor(async () => expect(await changed(page)).toEqual([['R-1', 'Bolt', 12]]));
  });

  const moves = sampled(1, [
    ['{ArrowDown}', 'R-2'],
    ['', 'R-1'],
  ]);
  test.each(moves)('when the sorted rows are loaded, also after %s', async (move, code) => {
    const page = await open(4);
    const { user, service, foot } = page;
    await page.focus(0, COL.name);
    const readOn = service.hold('GET', firstSortedPage);
    await sortBackwards(page);
    await user.keyboard(`${move}Bolt{Tab}{Tab}12{Enter}`);
    readOn();
    await foot().findByText('Saved');
    await waitFor(async () => expect(await changed(page)).toEqual([[code, 'Bolt', 12]]));
  });

  test(
    'or nowhere, with a notice, if it is no longer in the list',
    { tags: ['long'] },
    async () => {
      const page = await open(250);
      const { user, text, service } = page;
      await page.focus(0, COL.name);
      await grids.root.delete(page.path, { datasets: [{ jrid: '1' }] });
      const answer = service.hold('GET', 'jrid=1');
      await sortBackwards(page);
      await waitFor(() => expect(text(0, COL.code)).toBe('R-250'));
      await user.keyboard('Bolt{Enter}{Delete}');
      answer();
      await screen.findByText(TYPE_AGAIN);
      await user.keyboard('Nut{Enter}');
      await waitFor(async () => expect(await changed(page)).toEqual([['R-250', 'Nut', 250]]));
    },
  );
});

describe('into a row that is not loaded yet', () => {
  /** Moves to row 150, in the column of the pieces, of which the service has not answered. */
  async function openUnread() {
    const page = await open(250);
    await page.focus(0, COL.pieces);
    const readOn = page.service.hold('GET', secondPage);
    await page.user.keyboard('{Control>}g{/Control}150{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(page.cell(149, COL.pieces)));
    return { ...page, page, readOn };
  }

  test('what is typed is entered once it is loaded, key by key', async () => {
    const { page, user, readOn, foot, cell } = await openUnread();
    await user.keyboard('12{Enter}{F2}4{Enter}5');
    readOn();
    await waitFor(() => expect(screen.getByRole('textbox')).toHaveProperty('value', '5'));
    await user.keyboard('6{Tab}');
    await foot().findByText('Saved');
    await waitFor(async () =>
      expect(await changed(page)).toEqual([
        ['R-150', 'Part 150', 12],
        ['R-151', 'Part 151', 1514],
        ['R-152', 'Part 152', 56],
      ]),
    );
    expect(document.activeElement).toBe(cell(151, COL.active));
  });

  test(
    'Escape cancels what is typed into one cell, and the moves to the next ones count',
    { tags: ['long'] },
    async () => {
      const { page, user, readOn, foot } = await openUnread();
      await user.keyboard('{ArrowLeft}{ArrowLeft}{ArrowLeft}');
      await user.keyboard(
        'X-1{Tab}Bolt{Escape}{Tab}{Tab}129{Backspace}{Enter}{Escape}{ArrowRight}Nut{Enter}',
      );
      readOn();
      await foot().findByText('Saved');
      await waitFor(async () =>
        expect(await changed(page)).toEqual([
          ['X-1', 'Part 150', 12],
          ['R-151', 'Nut', 151],
        ]),
      );
    },
  );

  test(
    'what is typed after Tab has left the grid is entered nowhere',
    { tags: ['long'] },
    async () => {
      const { page, user, readOn, foot, cell } = await openUnread();
      await user.keyboard('12{Enter}{Escape}{Tab}34{Enter}');
      readOn();
      await foot().findByText('Saved');
      await waitFor(async () => expect(await changed(page)).toEqual([['R-150', 'Part 150', 12]]));
      expect(cell(150, COL.pieces).contains(document.activeElement)).toBe(false);
    },
  );

  test('what is pasted is entered once it is loaded', { tags: ['long'] }, async () => {
    const { page, user, readOn, foot, paste } = await openUnread();
    paste(149, COL.pieces, '12');
    await user.keyboard('{ArrowDown}3');
    paste(149, COL.pieces, '45');
    await user.keyboard('{Enter}');
    readOn();
    await foot().findByText('Saved');
    await waitFor(async () =>
      expect(await changed(page)).toEqual([
        ['R-150', 'Part 150', 12],
        ['R-151', 'Part 151', 345],
      ]),
    );
  });

  test('what is typed is dropped with a notice if the user moves to another cell', async () => {
    const { page, user, readOn, cell } = await openUnread();
    await user.keyboard('12{Enter}');
    await user.click(cell(151, 0));
    readOn();
    await screen.findByText(TYPE_AGAIN);
    await user.keyboard('{ArrowRight}{ArrowRight}Nut{Enter}');
    await waitFor(async () => expect(await changed(page)).toEqual([['R-152', 'Nut', 152]]));
  });
});

describe('the question before rows are deleted that were not loaded yet', () => {
  /** Selects rows 100 and 101, of which the service has not answered the second, and deletes them. */
  async function deleteUnread() {
    const page = await open(250);
    await page.focus(0, COL.name);
    const readOn = page.service.hold('GET', secondPage);
    await page.user.keyboard('{Control>}g{/Control}100{Enter}');
    await waitFor(() => expect(document.activeElement).toBe(page.cell(99, COL.name)));
    await page.user.keyboard('{Shift>} {ArrowDown}{/Shift}{Control>}{Delete}{/Control}');
    return { ...page, page, readOn };
  }

  test('is asked once they are', async () => {
    const { user, readOn } = await deleteUnread();
    expect(screen.queryByRole('dialog')).toBeNull();
    readOn();
    await screen.findByRole('dialog', { name: /^Delete these 2 records of/ });
    await user.keyboard('{Escape}');
  });

  test('is not asked of a user who types by then; a notice says so', async () => {
    const { page, user, readOn, foot } = await deleteUnread();
    await user.keyboard('{ArrowUp}Bo');
    readOn();
    await screen.findByText(/^Nothing was deleted/);
    await user.keyboard('lt{Enter}');
    await foot().findByText('Saved');
    expect(screen.queryByRole('dialog')).toBeNull();
    await waitFor(async () => expect(await changed(page)).toEqual([['R-99', 'Bolt', 99]]));
  });
});
