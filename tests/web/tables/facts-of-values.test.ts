// @vitest-environment node
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { factsOfValues } from '#web/features/data-grid/summary/facts-of-values.ts';
import { buildColumn } from './columns.ts';

test('sums are exact, whatever floats would make of them', () => {
  const column = buildColumn('amount', { type: 'decimal', scale: 2 });
  expect(factsOfValues(column, [0.1, 0.2, null])).toEqual({
    filled: 2,
    min: 0.1,
    max: 0.2,
    sum: 0.3,
    mean: '0.1500',
  });
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1e9, max: 1e9 }), { minLength: 1 }), (cents) => {
      const total = cents.reduce((sum, one) => sum + one, 0);
      const facts = factsOfValues(
        column,
        cents.map((one) => one / 100),
      );
      expect(facts.sum).toBe(total / 100);
    }),
  );
});

test('dates and texts have a least and a greatest, yes and no have none', () => {
  const dates = ['2026-02-01', null, '2025-12-31'];
  expect(factsOfValues(buildColumn('day', { type: 'date' }), dates)).toMatchObject({
    filled: 2,
    min: '2025-12-31',
    max: '2026-02-01',
    sum: null,
  });
  expect(factsOfValues(buildColumn('flag', { type: 'boolean' }), [true, false])).toMatchObject({
    min: null,
    max: null,
  });
});
