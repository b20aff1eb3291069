import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sourcesOf } from '#web/features/data-grid/summary/statistics-sources.ts';
import {
  summarizeColumns,
  mergeStatistics,
  computeStatistics,
  fromServiceStatistics,
} from '#web/features/data-grid/summary/cell-statistics.ts';
import { cellCount, disjoint, containsCell } from '#web/grid/rects.ts';
import type { Column } from '#shared/rules/definitions.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import { buildColumn } from './columns.ts';

const AMOUNT = buildColumn('amount', { type: 'decimal', scale: 2 });
const factsOfValues = (column: Column, values: readonly Scalar[]) =>
  summarizeColumns(new Map([[column, computeStatistics(column, values)]]));

test('sums are exact, whatever floats would make of them', () => {
  expect(factsOfValues(AMOUNT, [0.1, 0.2, null])).toEqual({
    filled: 2,
    min: 0.1,
    max: 0.2,
    sum: 0.3,
    mean: '0.1500',
    column: AMOUNT,
  });
  const cents = fc.array(fc.maxSafeInteger().map((one) => Math.trunc(one / 10)));
  fc.assert(
    fc.property(cents, fc.nat(), (cents, at) => {
      const values = cents.map((one) => Number((one / 100).toFixed(2)));
      const total = cents.reduce((sum, one) => sum + BigInt(one), 0n);
      expect(computeStatistics(AMOUNT, values).units).toBe(total);
      // In two parts, of which the service counts one, it is the same.
      const [here, there] = [values.slice(0, at), values.slice(at)];
      const { filled, sum, mean, min, max } = factsOfValues(AMOUNT, there);
      const facts = { name: 'amount', filled, empty: 0, distinct: null, min, max, sum, mean };
      const whole = mergeStatistics(
        AMOUNT,
        computeStatistics(AMOUNT, here),
        fromServiceStatistics(AMOUNT, facts),
      );
      expect(whole).toEqual(computeStatistics(AMOUNT, values));
    }),
  );
});

test('dates have a least and a greatest, yes and no and texts have none', () => {
  const dates = ['2026-02-01', null, '2025-12-31'];
  expect(factsOfValues(buildColumn('day', { type: 'date' }), dates)).toMatchObject({
    filled: 2,
    min: '2025-12-31',
    max: '2026-02-01',
    sum: null,
  });
  expect(factsOfValues(buildColumn('flag', { type: 'boolean' }), [true, false])).toMatchObject({
    filled: 2,
    min: null,
    max: null,
  });
});

test('of several columns numbers are added with the most places, texts and days beside them only counted', () => {
  const pieces = buildColumn('pieces', { type: 'integer' });
  const day = buildColumn('day', { type: 'date' });
  const tallies = new Map([
    [pieces, computeStatistics(pieces, [3, null])],
    [AMOUNT, computeStatistics(AMOUNT, [-1.25])],
    [day, computeStatistics(day, ['2026-02-01'])],
    [buildColumn('name'), computeStatistics(buildColumn('name'), ['x', ''])],
  ]);
  expect(summarizeColumns(tallies)).toEqual({
    filled: 4,
    min: -1.25,
    max: 3,
    sum: 1.75,
    mean: '0.8750',
    column: AMOUNT,
  });
  const at = buildColumn('at', { type: 'datetime' });
  const days = new Map([
    [day, computeStatistics(day, ['2026-02-01'])],
    [at, computeStatistics(at, ['2026-02-01T10:00:00Z'])],
  ]);
  // A day and a moment are not to be held against each other.
  expect(summarizeColumns(days)).toMatchObject({ filled: 2, min: null, column: null });
});

test('blocks that lie over each other hold each cell once', () => {
  const edge = fc.nat({ max: 6 });
  const rect = fc.tuple(edge, edge, edge, edge).map(([a, b, c, d]) => ({
    top: Math.min(a, b),
    bottom: Math.max(a, b),
    left: Math.min(c, d),
    right: Math.max(c, d),
  }));
  fc.assert(
    fc.property(fc.array(rect, { maxLength: 5 }), (rects) => {
      let cells = 0;
      for (let row = 0; row <= 6; row++) {
        for (let col = 0; col <= 6; col++) {
          const is = rects.some((one) => containsCell(one, { row, col }));
          if (is) cells++;
          const now = disjoint(rects).filter((one) => containsCell(one, { row, col }));
          expect(now).toHaveLength(is ? 1 : 0);
        }
      }
      expect(cellCount(rects)).toBe(cells);
    }),
  );
});

describe('where what is selected is known from', () => {
  const list = { listed: 1_000_000, created: 0, pages: new Set([0, 1, 3]) };
  test('pages that were read, and what lies between from the service', () => {
    expect(sourcesOf({ top: 50, bottom: 449 }, list)).toEqual({
      loaded: [
        { top: 50, bottom: 199 },
        { top: 300, bottom: 399 },
      ],
      requests: [
        { offset: 200, limit: 100 },
        { offset: 400, limit: 50 },
      ],
    });
    expect(sourcesOf({ top: 20, bottom: 199 }, list).requests).toEqual([]);
  });

  test('the whole list in one call, most of it in some', () => {
    expect(sourcesOf({ top: 0, bottom: 1_000_000 }, list)).toEqual({
      loaded: [],
      requests: [null],
    });
    const { loaded, requests } = sourcesOf({ top: 1, bottom: 999_998 }, list);
    expect(loaded).toEqual([]);
    expect(requests).toHaveLength(10);
    expect(requests.reduce((rows, one) => rows + (one?.limit ?? 0), 0)).toBe(999_998);
  });

  test('rows created here follow the list, and are loaded', () => {
    const short = { listed: 100, created: 2, pages: new Set([0]) };
    expect(sourcesOf({ top: 90, bottom: 101 }, short)).toEqual({
      loaded: [
        { top: 90, bottom: 99 },
        { top: 100, bottom: 101 },
      ],
      requests: [],
    });
  });
});
