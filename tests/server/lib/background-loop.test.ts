import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { BackgroundLoop, UNTIL_WOKEN } from '#server/lib/background-loop.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openLoop(
  run: (signal: AbortSignal) => Promise<number>,
  options: { firstPause?: number; wakeDelay?: number } = {},
) {
  const warn = vi.fn<(about: unknown, message: string) => void>();
  const loop = new BackgroundLoop({ name: 'the work', run, log: { warn }, ...options });
  onTestFinished(() => loop.close());
  return { loop, warn };
}

it('A background loop runs at once, and again after the pause that a run returns', async () => {
  const run = vi.fn<() => Promise<number>>(async () => 1_000);
  openLoop(run);
  await vi.advanceTimersByTimeAsync(0);
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(999);
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(2);
});

it('A background loop runs once for several wakes, after the delay', async () => {
  const run = vi.fn<() => Promise<number>>(async () => UNTIL_WOKEN);
  const { loop } = openLoop(run, { firstPause: UNTIL_WOKEN, wakeDelay: 50 });
  loop.wake();
  await vi.advanceTimersByTimeAsync(30);
  loop.wake();
  expect(run).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(20);
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(run).toHaveBeenCalledTimes(1);
});

it('A background loop that is woken during a run runs once more after it', async () => {
  const runs: PromiseWithResolvers<void>[] = [];
  const { loop } = openLoop(async () => {
    const current = Promise.withResolvers<void>();
    runs.push(current);
    await current.promise;
    return UNTIL_WOKEN;
  });
  await vi.advanceTimersByTimeAsync(0);
  loop.wake();
  loop.wake();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toHaveLength(1);
  expect(loop.isWoken).toBe(true);
  runs[0]?.resolve();
  await vi.advanceTimersByTimeAsync(1);
  expect(runs).toHaveLength(2);
  expect(loop.isWoken).toBe(false);
  runs[1]?.resolve();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(runs).toHaveLength(2);
});

it('A background loop logs a failure and tries again after pauses that grow, woken or not', async () => {
  let fails = true;
  const error = new Error('The database is away.');
  const run = vi.fn<() => Promise<number>>(async () => {
    if (fails) throw error;
    return UNTIL_WOKEN;
  });
  const { loop, warn } = openLoop(run);
  await vi.advanceTimersByTimeAsync(0);
  expect(warn.mock.lastCall).toEqual([{ err: error, retryInMs: 500 }, 'the work failed']);
  loop.wake();
  await vi.advanceTimersByTimeAsync(499);
  expect(run).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(warn.mock.lastCall?.[0]).toMatchObject({ retryInMs: 1_000 });
  await vi.advanceTimersByTimeAsync(1_000 + 2_000 + 4_000 + 5_000);
  expect(run).toHaveBeenCalledTimes(6);
  expect(warn.mock.lastCall?.[0]).toMatchObject({ retryInMs: 5_000 });
  fails = false;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(run).toHaveBeenCalledTimes(7);
  loop.wake();
  await vi.advanceTimersByTimeAsync(1);
  expect(run).toHaveBeenCalledTimes(8);
  expect(warn).toHaveBeenCalledTimes(6);
});

it('A background loop that closes tells the run under way, waits for it and begins no other', async () => {
  const ended = Promise.withResolvers<void>();
  const run = vi.fn<(signal: AbortSignal) => Promise<number>>(async (signal) => {
    await ended.promise;
    expect(signal.aborted).toBe(true);
    throw new Error('This is not logged.');
  });
  const { loop, warn } = openLoop(run);
  await vi.advanceTimersByTimeAsync(0);
  loop.wake();
  let isClosed = false;
  const closing = loop.close().then(() => void (isClosed = true));
  await vi.advanceTimersByTimeAsync(1_000);
  expect(isClosed).toBe(false);
  ended.resolve();
  await closing;
  loop.wake();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(run).toHaveBeenCalledTimes(1);
  expect(warn).not.toHaveBeenCalled();
});

it('A run of a background loop is outside of the asynchronous context that woke it', async () => {
  const context = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const { loop } = openLoop(
    async () => {
      seen.push(context.getStore());
      return UNTIL_WOKEN;
    },
    { firstPause: UNTIL_WOKEN },
  );
  context.run('a transaction', () => loop.wake());
  await vi.advanceTimersByTimeAsync(1);
  expect(seen).toEqual([undefined]);
});
