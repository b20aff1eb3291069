import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { continueSeries } from '#web/features/data-grid/ranges/series.ts';
import type { ValueType } from '#shared/values/registry.ts';
import type { Scalar } from '#shared/values/value-type.ts';

const rules = (type: ValueType, scale: number | null = null) => ({ type, scale });

describe('going on with what was selected', () => {
  it.each<[string, ValueType, readonly Scalar[], readonly Scalar[]]>([
    ['a single value is copied', 'integer', [7], [7, 7]],
    ['numbers with one step', 'integer', [1, 3], [5, 7]],
    ['numbers going down', 'integer', [10, 5], [0, -5]],
    ['numbers without one step begin again', 'integer', [1, 3, 4], [1, 3, 4]],
    ['tenths without the errors of floats', 'decimal', [0.1, 0.2], [0.3, 0.4]],
    ['equal numbers', 'decimal', [2.5, 2.5], [2.5, 2.5]],
    ['days', 'date', ['2026-02-27', '2026-02-28'], ['2026-03-01', '2026-03-02']],
    ['weeks', 'date', ['2026-01-01', '2026-01-08'], ['2026-01-15', '2026-01-22']],
    ['months', 'date', ['2026-01-15', '2026-02-15'], ['2026-03-15', '2026-04-15']],
    ['ends of months', 'date', ['2026-01-31', '2026-02-28'], ['2026-03-31', '2026-04-30']],
    ['years', 'date', ['2024-02-29', '2025-02-28'], ['2026-02-28', '2027-02-28']],
    [
      'the same time of days',
      'datetime',
      ['2026-02-27T08:00:00+01:00', '2026-02-28T08:00:00+01:00'],
      ['2026-03-01T08:00:00+01:00', '2026-03-02T08:00:00+01:00'],
    ],
    [
      'the same time at the ends of months',
      'datetime',
      ['2026-01-31T08:00:00Z', '2026-02-28T08:00:00Z'],
      ['2026-03-31T08:00:00Z', '2026-04-30T08:00:00Z'],
    ],
    [
      'moments over midnight, in their offset',
      'datetime',
      ['2026-01-31T20:30:00-05:00', '2026-01-31T22:00:00-05:00'],
      ['2026-01-31T23:30:00-05:00', '2026-02-01T01:00:00-05:00'],
    ],
    [
      'moments with thousandths',
      'datetime',
      ['2026-01-31T20:30:00.250Z', '2026-01-31T20:30:00.500Z'],
      ['2026-01-31T20:30:00.750Z', '2026-01-31T20:30:01.000Z'],
    ],
    [
      'moments of two offsets begin again',
      'datetime',
      ['2026-03-28T08:00:00+01:00', '2026-03-29T08:00:00+02:00'],
      ['2026-03-28T08:00:00+01:00', '2026-03-29T08:00:00+02:00'],
    ],
    [
      'beyond the last year there is no moment',
      'datetime',
      ['9999-12-31T22:00:00Z', '9999-12-31T23:30:00Z'],
      [null, null],
    ],
    ['times of day', 'time', ['08:00', '08:20'], ['08:40', '09:00']],
    ['times of day with seconds', 'time', ['08:00', '07:59:45'], ['07:59:30', '07:59:15']],
    ['beyond midnight there is no time', 'time', ['22:00', '23:30'], [null, null]],
    ['texts that count', 'text', ['R-8', 'R-9'], ['R-10', 'R-11']],
    ['texts that count with zeros', 'text', ['A007', 'A008'], ['A009', 'A010']],
    ['texts without a number', 'text', ['red', 'blue'], ['red', 'blue']],
    ['an empty cell among them', 'integer', [1, null], [1, null]],
    ['yes and no', 'boolean', [true, false], [true, false]],
    ['below zero no text counts', 'text', ['P1', 'P0'], [null, null]],
    ['beyond the last year there is no day', 'date', ['9999-12-30', '9999-12-31'], [null, null]],
  ])('%s', (_, type, values, expected) => {
    expect(continueSeries(rules(type), values, expected.length)).toEqual(expected);
  });

  test('includes the values that it continues', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e6, max: 1e6 }),
        fc.integer({ min: -1e4, max: 1e4 }),
        fc.integer({ min: 0, max: 4 }),
        fc.integer({ min: 2, max: 5 }),
        (start, step, scale, known) => {
          const unit = 10 ** scale;
          const all = Array.from({ length: known + 3 }, (_, i) => (start + i * step) / unit);
          const onward = continueSeries(rules('decimal', scale), all.slice(0, known), 3);
          expect(onward).toEqual(all.slice(known));
        },
      ),
    );
  });
});
