import * as fc from 'fast-check';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createScaledScroll } from '#web/grid/scaled-scroll.ts';

const WINDOW = 800;

/** A scroller over content of so many pixels; as browsers do, it keeps `scrollTop` within its own height. */
function scroller(content: number) {
  let top = 0;
  const element = document.createElement('div');
  const tall = createScaledScroll(() => element);
  const height = tall.elementHeight(content, 0);
  Object.defineProperty(element, 'scrollTop', {
    get: () => top,
    set: (to: number) => {
      top = Math.round(Math.max(0, Math.min(to, height - WINDOW)));
    },
  });
  tall.measure({ content, window: WINDOW });
  const told: number[] = [];
  tall.observe(element, (at) => told.push(at));
  return {
    tall,
    height,
    end: content - WINDOW,
    top: () => top,
    told,
    by(step: number) {
      element.scrollTop = top + step;
      element.dispatchEvent(new Event('scroll'));
    },
    to(place: number) {
      element.scrollTop = place;
      element.dispatchEvent(new Event('scroll'));
    },
    settle: () => vi.advanceTimersByTime(500),
  };
}

beforeEach(() => {
  vi.useFakeTimers();
  return () => vi.useRealTimers();
});

describe('content that an element can hold', () => {
  test('is scrolled as ever', () => {
    const box = scroller(100_000);
    expect(box.height).toBe(100_000);
    box.to(70_000);
    expect(box.tall.at()).toBe(70_000);
    expect(box.tall.shift.get()).toBe(0);
    box.tall.scrollTo(31);
    expect([box.top(), box.tall.at()]).toEqual([31, 31]);
  });
});

describe('content of ten million rows', () => {
  const CONTENT = 310_000_000;

  test('has a short element, whose ends are its ends', () => {
    const box = scroller(CONTENT);
    expect(box.height).toBeLessThan(17_000_000);
    box.to(box.height);
    expect(box.tall.at()).toBe(box.end);
    box.to(0);
    expect(box.tall.at()).toBe(0);
  });
  test('goes by small steps as far as the wheel does, and by leaps in proportion', () => {
    const box = scroller(CONTENT);
    box.to(box.height / 2);
    expect(box.tall.at() / CONTENT).toBeCloseTo(0.5, 3);
    const before = box.tall.at();
    box.by(100);
    expect(box.tall.at()).toBe(before + 100);
    box.settle();
    expect(box.tall.at()).toBe(before + 100);
  });
  test('is at the requested position, whatever was before', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.record({ by: fc.integer({ min: -1500, max: 1500 }) }),
            fc.record({ leap: fc.double({ min: 0, max: 1, noNaN: true }) }),
            fc.constant({ settle: true }),
          ),
        ),
        fc.integer({ min: 0, max: CONTENT }),
        (moves, wanted) => {
          const box = scroller(CONTENT);
          for (const move of moves) {
            if ('by' in move) box.by(move.by);
            else if ('leap' in move) box.to(move.leap * box.height);
            else box.settle();
            // What is shown is what is told: the place in the element and what is added to it.
            expect(box.told.at(-1)).toBeCloseTo(box.top() + box.tall.shift.get(), 3);
            expect(box.tall.at()).toBeGreaterThanOrEqual(0);
            expect(box.tall.at()).toBeLessThanOrEqual(box.end);
          }
          box.tall.scrollTo(wanted);
          expect(box.tall.at()).toBe(Math.min(wanted, box.end));
          box.settle();
          expect(box.tall.at()).toBe(Math.min(wanted, box.end));
        },
      ),
    );
  });
  test('reaches both ends by small steps alone', () => {
    const box = scroller(CONTENT);
    box.tall.scrollTo(5_000);
    for (let i = 0; i < 60; i++) {
      box.by(-100);
      if (i % 5 === 0) box.settle();
    }
    expect(box.tall.at()).toBe(0);
  });
});
