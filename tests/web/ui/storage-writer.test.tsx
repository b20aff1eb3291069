import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { storageWriter } from '#web/ui/storage-writer.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a change is written after a pause, also if a write began between the one before and its pause', async () => {
  let state = 0;
  const written: number[] = [];
  const writer = storageWriter(
    () => true,
    async () => {
      written.push(state);
      return true;
    },
  );
  const flushed = writer.flush();
  state = 1;
  writer.changed();
  await flushed;
  await vi.advanceTimersByTimeAsync(5_000);
  state = 2;
  writer.changed();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(written.at(-1)).toBe(2);
});

test('a storage that fails holds the tab until something is written again', async () => {
  let outcome = async (): Promise<boolean> => {
    throw new Error('full');
  };
  const writer = storageWriter(
    () => true,
    () => outcome(),
  );
  const isTabHeld = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(isTabHeld()).toBe(false);
  await expect(writer.flush()).rejects.toThrow('full');
  expect([writer.isAtRisk.get(), isTabHeld()]).toEqual([true, true]);
  outcome = async () => false;
  await writer.flush();
  expect([writer.isAtRisk.get(), isTabHeld()]).toEqual([true, true]);
  outcome = async () => true;
  await writer.flush();
  expect([writer.isAtRisk.get(), isTabHeld()]).toEqual([false, false]);
});
