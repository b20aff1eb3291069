import { describe, expect, test } from 'vitest';
import { batchPageRequests } from '#web/features/data-grid/rows/batch-page-requests.ts';

function reading() {
  const asked: { first: number; count: number; signal: AbortSignal }[] = [];
  const answers: PromiseWithResolvers<readonly string[]>[] = [];
  const page = batchPageRequests((first, count, signal) => {
    asked.push({ first, count, signal });
    const answer = Promise.withResolvers<readonly string[]>();
    answers.push(answer);
    return answer.promise;
  });
  return { page, asked, answers, never: () => new AbortController().signal };
}

describe('pages asked for at the same moment', () => {
  test('that follow each other are one request, whatever their order', async () => {
    const { page, asked, answers, never } = reading();
    const pages = [page(8, never()), page(7, never()), page(20, never())];
    await Promise.resolve();
    expect(asked.map(({ first, count }) => [first, count])).toEqual([
      [7, 2],
      [20, 1],
    ]);
    answers[0]?.resolve(['seven', 'eight']);
    answers[1]?.resolve(['twenty']);
    expect(await Promise.all(pages)).toEqual(['eight', 'seven', 'twenty']);
  });

  test('are requested again when they are needed later', async () => {
    const { page, asked, never } = reading();
    void page(1, never());
    await Promise.resolve();
    void page(2, never());
    await Promise.resolve();
    expect(asked.map(({ first, count }) => [first, count])).toEqual([
      [1, 1],
      [2, 1],
    ]);
  });

  test('are given up when nobody wants any of them, and not before', async () => {
    const { page, asked } = reading();
    const [one, other] = [new AbortController(), new AbortController()];
    void page(1, one.signal);
    void page(2, other.signal);
    await Promise.resolve();
    one.abort();
    expect(asked[0]?.signal.aborted).toBe(false);
    other.abort();
    expect(asked[0]?.signal.aborted).toBe(true);
  });

  test('fail together', async () => {
    const { page, answers, never } = reading();
    const pages = [page(1, never()), page(2, never())];
    await Promise.resolve();
    answers[0]?.reject(new Error('Away.'));
    expect((await Promise.allSettled(pages)).map(({ status }) => status)).toEqual([
      'rejected',
      'rejected',
    ]);
  });
});
