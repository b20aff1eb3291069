import { expect, it } from 'vitest';
import { createQueryClient } from '#web/api/query-client.ts';

it('A mutation that has ended is forgotten, with what it was called with', async () => {
  const client = createQueryClient();
  const cache = client.getMutationCache();
  const removed = new Promise<void>((resolve) => {
    cache.subscribe(({ type }) => {
      if (type === 'removed') resolve();
    });
  });
  const send = cache.build(client, { mutationFn: async (form: object) => form });
  await send.execute({ typed: 'a whole form' });
  await removed;
  expect(cache.getAll()).toEqual([]);
});
