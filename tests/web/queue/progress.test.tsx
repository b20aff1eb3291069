import { QueryClient } from '@tanstack/react-query';
import { afterEach, expect, it, vi } from 'vitest';
import type { Queue } from '#shared/contract/workspace-answers.ts';
import {
  type QueueProgress,
  saveProgress,
} from '#web/features/correction-queue/queue.mutations.ts';

const progress = (position: number, ...states: QueueProgress['states']): QueueProgress => ({
  position,
  field: null,
  states,
});
const corrected = (revisionId: string) => ({ revisionId, state: 'corrected' as const });
const skipped = (revisionId: string) => ({ revisionId, state: 'skipped' as const });

const QUEUE: Queue = {
  queueId: 'q',
  name: '',
  filter: null,
  total: 9,
  position: 1,
  counts: { corrected: 1, unchanged: 0, skipped: 0, gone: 0 },
  createdAt: '2026-01-01T00:00:00.000Z',
  usedAt: '2026-01-01T00:00:00.000Z',
  field: null,
};

afterEach(() => vi.unstubAllGlobals());

/** A queue whose calls wait to be answered. */
function openQueue() {
  const client = new QueryClient();
  const options = client.defaultMutationOptions(saveProgress('A', 'q'));
  const sent: QueueProgress[] = [];
  const answers: ((status: number) => void)[] = [];
  vi.stubGlobal('fetch', (_path: string, { body }: { readonly body: string }) => {
    sent.push(JSON.parse(body));
    return new Promise<Response>((resolve) => {
      answers.push((status) => {
        const body =
          status === 200 ? { queues: [QUEUE] } : { code: 'x', errors: {}, requestId: '1' };
        const headers = { 'Content-Type': 'application/json' };
        resolve(new Response(JSON.stringify(body), { status, headers }));
      });
    });
  });
  const store = (what: QueueProgress) =>
    client
      .getMutationCache()
      .build(client, options)
      .execute(what)
      .catch(() => undefined);
  return { store, sent, answer: (status: number) => answers.shift()?.(status) };
}

it('is stored by one call after the other, which gathers what happens meanwhile', async () => {
  const { store, sent, answer } = openQueue();
  void store(progress(1, corrected('a')));
  await vi.waitFor(() => expect(sent).toEqual([progress(1, corrected('a'))]));
  const rest = [
    store(progress(2, skipped('b'))),
    store(progress(3, corrected('c'))),
    store(progress(2)),
    store(progress(3, corrected('b'))),
  ];
  await Promise.resolve();
  answer(200);
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual(progress(3, corrected('b'), corrected('c')));
  answer(200);
  await Promise.all(rest);
  expect(sent).toHaveLength(2);
});

it('is stored with the next call where it could not be', async () => {
  const { store, sent, answer } = openQueue();
  const first = store(progress(1, corrected('a')));
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  answer(409);
  await first;
  void store(progress(2, skipped('b')));
  await vi.waitFor(() => expect(sent).toHaveLength(2));
  expect(sent[1]).toEqual(progress(2, corrected('a'), skipped('b')));
});
