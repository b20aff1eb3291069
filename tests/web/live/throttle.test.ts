import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { throttle } from '#web/api/live/throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('does what is asked for ten thousand times once per second at the most, and once after the last time', async () => {
  const doneAt: number[] = [];
  let askedAt = 0;
  const start = Date.now();
  const one = throttle(
    async () => {
      doneAt.push(Date.now() - start);
      await new Promise((done) => setTimeout(done, 50));
    },
    { wait: 0, rest: 1_000 },
  );
  for (let times = 0; times < 10_000; times++) {
    one.request();
    askedAt = Date.now() - start;
    if (times % 10 === 0) await vi.advanceTimersByTimeAsync(5);
  }
  await vi.advanceTimersByTimeAsync(5_000);
  expect(doneAt[0]).toBe(0);
  expect(doneAt.length).toBeLessThanOrEqual(7);
  expect(doneAt.at(-1)).toBeGreaterThanOrEqual(askedAt);
  for (const [place, at] of doneAt.slice(1).entries()) {
    expect(at - (doneAt[place] ?? 0)).toBeGreaterThanOrEqual(1_000);
  }
});

it('does nothing more once it is stopped, though it was asked again meanwhile', async () => {
  let runs = 0;
  const one = throttle(
    async () => {
      runs += 1;
      await new Promise((done) => setTimeout(done, 50));
    },
    { wait: 0, rest: 100 },
  );
  one.request();
  await vi.advanceTimersByTimeAsync(10);
  one.request();
  one.stop();
  await vi.advanceTimersByTimeAsync(1_000);
  one.request();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toBe(1);
});
