import { expect, test } from 'vitest';
import {
  VIEWPORT_AT_TOP,
  nextViewport,
  samePages,
} from '#web/features/data-grid/rows/use-viewport.ts';

test('a steady scroll wants the rows that come next, in its direction', () => {
  const down = nextViewport(nextViewport(VIEWPORT_AT_TOP, 0, 25), 3, 28);
  expect(down.from).toBe(3);
  expect(down.to).toBeGreaterThan(28);
  const up = nextViewport(down, 2, 27);
  expect(up.from).toBe(0);
  expect(up.to).toBe(27);
});

test('a leap wants what is in sight, and nothing beside it', () => {
  const there = nextViewport(nextViewport(VIEWPORT_AT_TOP, 3, 28), 500_000, 500_025);
  expect(there).toEqual({ first: 500_000, from: 500_000, to: 500_025 });
});

test('standing still changes nothing', () => {
  const down = nextViewport(nextViewport(VIEWPORT_AT_TOP, 0, 25), 3, 28);
  expect(nextViewport(down, 3, 28)).toEqual(down);
});

test('sights of the same pages are alike', () => {
  expect(
    samePages(nextViewport(VIEWPORT_AT_TOP, 300, 325), nextViewport(VIEWPORT_AT_TOP, 320, 345)),
  ).toBe(true);
  expect(
    samePages(nextViewport(VIEWPORT_AT_TOP, 300, 325), nextViewport(VIEWPORT_AT_TOP, 380, 405)),
  ).toBe(false);
});
