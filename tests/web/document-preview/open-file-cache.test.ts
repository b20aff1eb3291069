import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { OpenFileCache } from '#web/features/document-preview/open-file-cache.ts';
import { repeated } from '#tests/support/effort.ts';

function openCache(most: number) {
  const opened: string[] = [];
  const closed: string[] = [];
  const files = new OpenFileCache<{ key: string }, string>({
    maxFiles: most,
    open: async ({ key }) => {
      opened.push(key);
      if (key === 'broken') throw new Error('It is broken.');
      return key;
    },
    close: (key) => void closed.push(key),
  });
  return { files, opened, closed };
}
const settled = () => new Promise((settle) => setTimeout(settle));

it('opens a file once for prefetching and showing it', async () => {
  const { files, opened } = openCache(2);
  files.prefetch({ key: 'a' });
  await expect(files.show({ key: 'a' }).file).resolves.toBe('a');
  expect(opened).toEqual(['a']);
});

it('closes the least recently used file, but not one that is shown', async () => {
  const { files, closed } = openCache(2);
  const shown = files.show({ key: 'a' });
  for (const key of ['b', 'c', 'd']) files.prefetch({ key });
  await settled();
  expect(closed).toEqual(['b', 'c']);
  shown.release();
  files.prefetch({ key: 'e' });
  await settled();
  expect(closed).toEqual(['b', 'c', 'a']);
});

it('aborts the opening of a file that is no longer needed', async () => {
  const ended: string[] = [];
  const files = new OpenFileCache<{ key: string }, string>({
    maxFiles: 1,
    // As while the service is away.
    open: ({ key }, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          ended.push(key);
          reject(signal.reason);
        });
      }),
    close: () => undefined,
  });
  files.prefetch({ key: 'a' });
  const shown = files.show({ key: 'b' });
  expect(ended).toEqual(['a']);
  files.prefetch({ key: 'c' });
  expect(ended).toEqual(['a']);
  shown.release();
  await settled();
  expect(ended).toEqual(['a', 'b']);
  await expect(shown.file).rejects.toThrow('abort');
});

it('opens a file again that could not be opened', async () => {
  const { files, opened } = openCache(2);
  files.prefetch({ key: 'broken' });
  await settled();
  await expect(files.show({ key: 'broken' }).file).rejects.toThrow('broken');
  expect(opened).toEqual(['broken', 'broken']);
});

it('never closes a file that is shown, in any order of calls', async () => {
  const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const step = fc.record({ act: fc.constantFrom('ahead', 'show', 'release'), key });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { files, opened, closed } = openCache(2);
      const shown: { key: string; release: () => void }[] = [];
      for (const { act, key: at } of steps) {
        if (act === 'ahead') files.prefetch({ key: at });
        if (act === 'show') shown.push({ key: at, ...files.show({ key: at }) });
        if (act === 'release') shown.shift()?.release();
        await settled();
        const open = new Set(opened.filter((each) => count(opened, each) > count(closed, each)));
        for (const each of shown) expect(open).toContain(each.key);
        const places = new Set(shown.map((each) => each.key)).size;
        expect(open.size).toBeLessThanOrEqual(Math.max(2, places + 1));
      }
    }),
    { numRuns: repeated(20) },
  );
});

function count(all: readonly string[], one: string): number {
  return all.filter((each) => each === one).length;
}
