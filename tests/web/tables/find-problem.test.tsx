import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { COL, openGrids } from './open-grids.tsx';

const grids = await openGrids();

type Grid = Awaited<ReturnType<typeof grids.open>>;

const headings = ({ grid }: Pick<Grid, 'grid'>) =>
  [...grid.querySelectorAll('[role=columnheader]')].slice(1).map(({ textContent }) => textContent);

async function hide({ user, grid }: Grid, label: string) {
  const heading = [...grid.querySelectorAll('[role=columnheader]')].find(
    ({ textContent }) => textContent === label,
  );
  await user.pointer({ keys: '[MouseRight]', target: heading ?? document.body });
  await user.click(await screen.findByRole('menuitem', { name: 'Hide the column' }));
  await waitFor(() => expect(headings({ grid })).not.toContain(label));
}

describe('F8 to what cannot be saved', () => {
  test(
    'shows its column where that is hidden, and leaves the rest of the view',
    { tags: ['long'] },
    async () => {
      const opened = await grids.open({
        search: '?sort=-code&where[code][like]=A&columns=state,code,pieces&lines=2',
      });
      await opened.typeInto(0, 3, 'five{Enter}');
      await hide(opened, 'Pieces');
      await opened.user.keyboard('{F8}');
      await waitFor(() => expect(document.activeElement?.textContent).toContain('five'));
      expect(headings(opened)).toEqual(['State', 'Code *', 'Pieces']);
      expect(opened.text(0, 2)).toBe('A-3');
      expect(opened.grid.querySelectorAll('[data-row]')).toHaveLength(4);
    },
  );

  test('goes into a row that is not created yet without asking the service for it', async () => {
    const opened = await grids.open();
    await opened.typeInto(3, COL.pieces, 'many{Enter}');
    await waitFor(() => expect(opened.cell(3, COL.code).getAttribute('aria-invalid')).toBe('true'));
    await hide(opened, 'Pieces');
    await opened.user.keyboard('{F8}');
    await waitFor(() => expect(document.activeElement?.textContent).toContain('many'));
    expect(headings(opened)).toContain('Pieces');
    await opened.user.keyboard('{F8}');
    await waitFor(() => expect(document.activeElement).toBe(opened.cell(3, COL.code)));
    const asked = opened.service.calls.map(({ url }) => decodeURIComponent(url));
    expect(asked.filter((url) => url.includes('new:'))).toEqual([]);
  });

  test(
    'shows a record alone that the filter hides, with the columns that are shown',
    { tags: ['long'] },
    async () => {
      const opened = await grids.open({ search: '?sort=-code&columns=code,pieces' });
      await opened.typeInto(0, 2, 'five{Enter}');
      await opened.user.type(screen.getByRole('searchbox'), 'Bolt');
      await waitFor(() => expect(opened.text(0, 1)).toBe('A-1'));
      await opened.user.keyboard('{F8}');
      await waitFor(() => expect(document.activeElement?.textContent).toContain('five'));
      expect(opened.text(0, 1)).toBe('A-3');
      expect(headings(opened)).toEqual(['Code *', 'Pieces']);
    },
  );
});
