import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { localCipher } from '#tests/support/user-cipher.ts';
import { editStorage, type StoredEdits } from '#web/features/data-grid/edit-store/edit-storage.ts';
import { cellsOf, NO_EDITS, type } from '#web/features/data-grid/edit-store/edits.ts';
import {
  mergeAbandonedEdits,
  newerThan,
} from '#web/features/data-grid/edit-store/merge-abandoned-edits.ts';
import { holdLease, leftOf } from '#web/features/data-grid/edit-store/leases.ts';
import { NO_STEPS } from '#web/features/data-grid/undo/steps.ts';
import { buildColumn } from './columns.ts';

const cipher = localCipher();

/* jsdom, as browsers over plain http, has no locks. */

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** A tab that sleeps runs no timers. */
const sleep = (ms: number) => vi.setSystemTime(Date.now() + ms);

describe('a lease', () => {
  test('is held by one tab, for as long as it renews it', async () => {
    const name = `n-${Math.random()}`;
    const held = await holdLease(name, 'one');
    expect(await holdLease(name, 'two')).toBe(150_000);
    for (let i = 0; i < 10; i++) {
      await vi.advanceTimersByTimeAsync(20_000);
      // Waiting lets some time pass as well.
      await vi.waitFor(async () => expect(await leftOf(name)).toBeGreaterThan(140_000));
    }
    expect(await holdLease(name, 'two')).toBeGreaterThan(140_000);
    if (typeof held === 'object') await held.release();
    expect(await leftOf(name)).toBe(0);
    expect(await holdLease(name, 'two')).toHaveProperty('release');
  });

  test('ends with a tab that sleeps for long, which hears of it when it wakes', async () => {
    const name = `n-${Math.random()}`;
    const onLost = vi.fn<() => void>();
    await holdLease(name, 'one', onLost);
    sleep(151_000);
    const taken = await holdLease(name, 'two');
    expect(taken).toHaveProperty('release');
    if (typeof taken === 'object') await taken.release();
    expect(onLost).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(20_000);
    await vi.waitFor(() => expect(onLost).toHaveBeenCalledOnce());
    expect(await leftOf(name)).toBeGreaterThan(140_000);
  });
});

test('of two tabs that typed into one cell, the other’s is a step back', () => {
  const name = buildColumn('name');
  const behind = { seen: 'Bolt', stored: 'Bolt' };
  const [here, there] = [
    type(NO_EDITS, '7', name, 'Nut', behind),
    type(NO_EDITS, '7', name, 'StickyValue', behind),
  ];
  const { edits, overruled, count } = mergeAbandonedEdits(here, there);
  expect(cellsOf(edits, '7').get('name')?.text).toBe('Nut');
  expect(count).toBe(0);
  expect(overruled).toEqual([
    { jrid: '7', column: 'name', before: { value: 'StickyValue' }, after: { value: 'Nut' } },
  ]);
  expect(mergeAbandonedEdits(here, here).overruled).toEqual([]);
});

describe('what a tab has written', () => {
  const NAME = buildColumn('name');
  const typed = (text: string, before = NO_EDITS) =>
    type(before, '7', NAME, text, { seen: 'Bolt', stored: 'Bolt' });
  const kept: StoredEdits = { edits: typed('Nut'), steps: NO_STEPS };

  test('is not taken over while the tab is there, but once it is gone', async () => {
    const [guid, one, two] = [
      `t-${Math.random()}`,
      editStorage('one', cipher),
      editStorage('two', cipher),
    ];
    await one.write('anna', guid, kept);
    const adopted: StoredEdits[] = [];
    const takeOver = () => two.takeOver('anna', guid, async (desk) => void adopted.push(desk));
    expect(await takeOver()).toBe(150_000);
    expect(adopted).toEqual([]);
    await one.leave();
    expect(await takeOver()).toBeNull();
    expect(adopted).toMatchObject([kept]);
    expect(await takeOver()).toBeNull();
    expect(adopted).toHaveLength(1);
  });

  test('is forgotten by a tab that slept while another took it over; what it types then stays', async () => {
    const [guid, one, two] = [
      `t-${Math.random()}`,
      editStorage('three', cipher),
      editStorage('four', cipher),
    ];
    const onTaken = vi.fn<() => void>();
    one.onTaken('anna', guid, () => true, onTaken);
    await one.write('anna', guid, kept);
    sleep(151_000);
    await two.takeOver('anna', guid, async () => undefined);
    await vi.advanceTimersByTimeAsync(20_000);
    await vi.waitFor(() => expect(onTaken).toHaveBeenCalledOnce());

    const since = type(kept.edits, '8', NAME, 'Ring', { seen: '', stored: '' });
    const left = newerThan(since, kept.edits.sequence);
    expect([...left.records.keys()]).toEqual(['8']);
    expect(cellsOf(left, '8').get('name')?.text).toBe('Ring');
  });
});
