import { expect, test } from 'vitest';
import { createRecordQueue } from '#web/features/data-grid/edit-store/record-queue.ts';

test('work on one record never overlaps and goes on until nothing is left; other records do not wait', async () => {
  const left = new Map([
    ['1', 3],
    ['2', 1],
  ]);
  const running = new Set<string>();
  const log: string[] = [];
  const queue = createRecordQueue(async (key) => {
    expect(running.has(key)).toBe(false);
    const rest = left.get(key) ?? 0;
    if (rest === 0) return 'done';
    running.add(key);
    log.push(key);
    await Promise.resolve();
    left.set(key, (left.get(key) ?? 0) - 1);
    running.delete(key);
    return 'more';
  });
  const first = queue.wake('1');
  const second = queue.wake('2');
  await queue.wake('1');
  expect(log).toEqual(['1', '2']);
  await Promise.all([first, second]);
  expect(log.filter((key) => key === '1')).toHaveLength(3);

  left.set('1', 1);
  await queue.wake('1');
  expect(left.get('1')).toBe(0);
});

test('what comes at the moment when nothing is left is worked on too', async () => {
  let left = 0;
  const queue = createRecordQueue(async () => {
    if (left === 0) return 'done';
    left--;
    return 'more';
  });
  const idle = queue.wake('1');
  left = 1;
  void queue.wake('1');
  await idle;
  expect(left).toBe(0);
});
