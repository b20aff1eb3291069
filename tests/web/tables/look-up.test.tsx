import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { buildRecords, buildTable, rightOn } from '#tests/support/builders.ts';
import { openGrids } from './open-grids.tsx';

const grids = await openGrids();
const FIRM = 2;

it('stores a value as typed, though the record found for its beginning is still offered', async () => {
  const page = await grids.open({
    columns: [
      { name: 'code', label: 'Code' },
      { name: 'firm', label: 'Firm', optionsFrom: { table: 'FIRMS', column: 'no' } },
    ],
    rows: [['A-1', null]],
    beside: async (database) => {
      const firms = await buildTable(database, [{ name: 'no' }], 'FIRMS');
      await buildRecords(database, firms, [['12'], ['123']]);
      return [rightOn(firms, 'read')];
    },
  });
  await page.typeInto(0, FIRM, '12');
  const options = () => screen.queryAllByRole('option', { hidden: true, selected: true });
  await waitFor(() => expect(options().map(({ textContent }) => textContent)).toEqual(['12']));
  const release = page.service.hold('GET');
  await page.user.keyboard('3{Enter}');
  release();
  await page.user.keyboard('{ArrowUp}');
  await page.foot().findByText('Saved');
  expect(await page.stored()).toMatchObject([{ firm: '123' }]);
});
