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

const isTabHeld = () => !dispatchEvent(new Event('beforeunload', { cancelable: true }));

test('the browser asks before a tab is closed whose last change is not stored yet', async () => {
  let hasUnsaved = true;
  const stored = Promise.withResolvers<boolean>();
  const writer = storageWriter(
    () => hasUnsaved,
    () => stored.promise,
  );
  expect(isTabHeld()).toBe(false);
  writer.changed();
  expect(isTabHeld()).toBe(true);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(isTabHeld()).toBe(true);
  stored.resolve(true);
  await vi.advanceTimersByTimeAsync(0);
  expect(isTabHeld()).toBe(false);
  hasUnsaved = false;
  writer.changed();
  expect(isTabHeld()).toBe(false);
});

test('a storage that fails holds the tab until something is written again', async () => {
  let outcome = async (): Promise<boolean> => {
    throw new Error('full');
  };
  const writer = storageWriter(
    () => true,
    () => outcome(),
  );
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
