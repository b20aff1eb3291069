import { expect, it, vi } from 'vitest';
import { createTeller } from '#web/features/correction-queue/progress.ts';
import type { QueueNews } from '#web/features/correction-queue/queue.queries.ts';

const news = (position: number, ...states: QueueNews['states']): QueueNews => ({
  position,
  field: null,
  states,
});
const corrected = (revisionId: string) => ({ revisionId, state: 'corrected' as const });
const skipped = (revisionId: string) => ({ revisionId, state: 'skipped' as const });

it('tells one thing after the other, and gathers what happens meanwhile', async () => {
  const told: QueueNews[] = [];
  const answers: (() => void)[] = [];
  const tell = (each: QueueNews) => {
    told.push(each);
    return new Promise<void>((resolve) => answers.push(resolve));
  };
  const teller = createTeller(tell, vi.fn<(error: unknown) => void>());
  teller.tell(news(1, corrected('a')));
  teller.tell(news(2, skipped('b')));
  teller.tell(news(3, corrected('c')));
  teller.tell(news(2));
  teller.tell(news(3, corrected('b')));
  expect(told).toEqual([news(1, corrected('a'))]);
  answers.shift()?.();
  await vi.waitFor(() => expect(told).toHaveLength(2));
  expect(told[1]).toEqual(news(3, corrected('b'), corrected('c')));
});

it('keeps what could not be told, and tells it with the next', async () => {
  const tell = vi
    .fn<(each: QueueNews) => Promise<void>>()
    .mockRejectedValueOnce(new Error('away'))
    .mockResolvedValue(undefined);
  const onError = vi.fn<(error: unknown) => void>();
  const teller = createTeller(tell, onError);
  teller.tell(news(1, corrected('a')));
  await vi.waitFor(() => expect(onError).toHaveBeenCalledOnce());
  teller.tell(news(2, skipped('b')));
  await vi.waitFor(() => expect(tell).toHaveBeenCalledTimes(2));
  expect(tell).toHaveBeenLastCalledWith(news(2, corrected('a'), skipped('b')));
});
