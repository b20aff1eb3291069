/** @module-tag slow */
import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { COL, openGrids } from './open-grids.tsx';

const grids = await openGrids();
const UNDO = '{Control>}z{/Control}';

type Grid = Awaited<ReturnType<typeof grids.open>>;

/** Pastes lines into the empty row behind the three records, and gives the preview. */
async function previewOf({ paste, focus }: Grid, lines: readonly string[]): Promise<HTMLElement> {
  await focus(3, COL.code);
  paste(3, COL.code, lines.join('\n'));
  const dialog = await screen.findByRole('dialog', { name: /^Paste \d+ rows/ });
  await within(dialog).findByRole('region', { name: 'Old and new' });
  return dialog;
}

const go = async ({ user }: Grid, dialog: HTMLElement) =>
  user.click(within(dialog).getByRole('button', { name: /^Paste/ }));

const codes = async ({ stored }: Grid) => (await stored()).map(({ code }) => code);

describe('a paste into a unique column', () => {
  test('is undone as a whole where two of its rows have the same value', async () => {
    const grid = await grids.open();
    await go(grid, await previewOf(grid, ['B-1\tone', 'B-2\ttwo', 'B-1\tthree']));
    await screen.findByText(/^2 of 3 rows are pasted/);
    expect(await codes(grid)).toEqual(['A-1', 'A-2', 'A-3', 'B-1', 'B-2']);
    await grid.focus(0, COL.code);
    await grid.user.keyboard(UNDO);
    await waitFor(async () => expect(await codes(grid)).toEqual(['A-1', 'A-2', 'A-3']));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Not saved' })).toBeNull());
  });

  test(
    'shows before it is done which values are given twice, and which exist already',
    { tags: ['long'] },
    async () => {
      const grid = await grids.open();
      const dialog = await previewOf(grid, ['B-1\tone', 'A-2\ttwo', 'B-1\tthree']);
      const list = within(dialog).getByRole('list', { name: 'What cannot be saved' });
      expect(
        within(list)
          .getAllByRole('listitem')
          .map(({ textContent }) => textContent),
      ).toEqual([
        expect.stringMatching(/^Row 5, Code “A-2”: .*already in record \d+ \(Nut · 7 · No\)/),
        expect.stringMatching(/^Row 6, Code “B-1”: .*row 4 .* already/),
      ]);
      within(dialog).getByRole('button', { name: 'Cells that cannot be saved 2' });
      await go(grid, dialog);
      await screen.findByText(/^1 of 3 rows are pasted/);
      // What is wrong is read in full without a search for it.
      const tray = await screen.findByRole('region', { name: 'Not saved' });
      expect(within(tray).getAllByRole('listitem')[0]?.textContent).toMatch(
        /^New record \(two\), Code “A-2”: The value is already in record/,
      );
    },
  );

  test('can be previewed again after a failure', async () => {
    const grid = await grids.open();
    await grid.focus(3, COL.code);
    grid.service.answerInstead('GET', () => new Response('Bad gateway', { status: 502 }));
    grid.paste(3, COL.code, 'B-1\tone\nB-2\ttwo');
    const dialog = await screen.findByRole('dialog', { name: /^Paste 2 rows/ });
    await within(dialog).findByRole('alert');
    within(dialog).getByRole('button', { name: 'Cancel' });
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Try again'));
    await grid.user.keyboard('{Enter}');
    await within(dialog).findByRole('region', { name: 'Old and new' });
    expect(within(dialog).queryByRole('alert')).toBeNull();
  });

  test(
    'takes values over from records that the same paste gives others',
    { tags: ['long'] },
    async () => {
      const grid = await grids.open();
      await grid.focus(0, COL.code);
      grid.paste(0, COL.code, 'A-2\tone\nA-1\ttwo');
      const dialog = await screen.findByRole('dialog', { name: /^Paste 2 rows/ });
      await within(dialog).findByRole('region', { name: 'Old and new' });
      expect(within(dialog).queryByRole('list', { name: 'What cannot be saved' })).toBeNull();
      await go(grid, dialog);
      await waitFor(async () => expect(await codes(grid)).toEqual(['A-2', 'A-1', 'A-3']));
    },
  );

  test('keeps rows that the service refuses in the grid, once, and undoes the rest', async () => {
    const grid = await grids.open();
    const dialog = await previewOf(grid, ['B-1\tone', 'B-2\ttwo', 'B-3\tthree']);
    // Somebody else is faster.
    await grids.root.post(grid.path, { dataset: { code: 'B-2', name: 'theirs' } });
    await go(grid, dialog);
    await screen.findByText(/^2 of 3 rows are pasted/);
    const posts = grid.writes().filter(({ method }) => method === 'POST');
    // Refused as a whole, then without the row that the service has named.
    expect(posts.map(({ status }) => status)).toEqual([409, 200]);
    await grid.focus(0, COL.code);
    await grid.user.keyboard(UNDO);
    await waitFor(async () => expect(await codes(grid)).toEqual(['A-1', 'A-2', 'A-3', 'B-2']));
  });
});
