import { expect, test } from 'vitest';
import { rowHeaderWidth } from '#web/features/data-grid/columns/row-header-width.ts';

test('row headers are as wide before the rows of a large table are counted as after it', () => {
  const [known, counted] = [10_000, 1_000_000];
  expect(rowHeaderWidth(known)).toBe(rowHeaderWidth(counted));
  expect(rowHeaderWidth(42)).toBeLessThan(rowHeaderWidth(counted));
});
