import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, utimesSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { sampled } from '#tests/support/effort.ts';
import type { FileStore, Incoming } from '#server/modules/files/file-store.ts';

/** Bytes: the smallest part of an upload that stores with S3's interface take. */
export const PART = 5 * 1024 * 1024;

/** A received file. */
export async function received(store: FileStore, bytes: Buffer): Promise<Incoming> {
  await mkdir(store.incomingDir, { recursive: true });
  const path = join(store.incomingDir, randomUUID());
  await writeFile(path, bytes);
  return { path, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
export const keep = async (store: FileStore, bytes: Buffer) =>
  store.put(await received(store, bytes));
export const read = async (
  store: FileStore,
  location: string,
  range?: { first: number; last: number },
) => buffer(await store.open(location, range));
/** Whether two are the same; comparing megabytes by `toEqual` takes seconds. */
export const same = (one: Buffer, other: Buffer) => one.equals(other);

/** @param open the same store each time, as two processes open it */
export function keepsFiles(open: () => FileStore) {
  it.each(sampled(2, [0, 100_000, 2 * PART + 77, 1, PART, PART + 1]))(
    '%i bytes, whole and in part',
    async (size) => {
      const bytes = randomBytes(size);
      const location = await keep(open(), bytes);
      expect(location).toMatch(/^[0-9a-f]{2}.[0-9a-f]{64}$/);
      const other = open();
      expect(same(await read(other, location), bytes)).toBe(true);
      if (size < 2) return;
      const ranges: [number, number][] = [
        [0, 0],
        [size - 1, size - 1],
        [10, size - 10],
        [0, size - 1],
      ];
      for (const [first, last] of ranges) {
        const part = await read(other, location, { first, last });
        expect(same(part, bytes.subarray(first, last + 1))).toBe(true);
      }
    },
  );

  it('the same bytes once, however many bring them at the same time', async () => {
    for (const bytes of [randomBytes(1_000), randomBytes(PART + 5)]) {
      const stores = Array.from({ length: 8 }, open);
      const locations = await Promise.all(stores.map((store) => keep(store, bytes)));
      expect(new Set(locations).size).toBe(1);
      expect(same(await read(open(), locations[0] ?? ''), bytes)).toBe(true);
    }
  });

  it('refuses to read what it does not have, before the first byte', async () => {
    const sha256 = createHash('sha256').update(randomUUID()).digest('hex');
    await expect(open().open(join(sha256.slice(0, 2), sha256))).rejects.toThrow(sha256);
  });

  it('can be checked, by several at once, and again', async () => {
    const checks = Array.from({ length: 4 }, () => open().check());
    await expect(Promise.all(checks)).resolves.toHaveLength(4);
    await expect(open().check()).resolves.toBeUndefined();
  });

  it('removes what dead requests left, and nothing else', async () => {
    const store = open();
    const [dead, alive] = [
      await received(store, Buffer.from('dead')),
      await received(store, Buffer.from('alive')),
    ];
    const location = await keep(store, Buffer.from('kept'));
    utimesSync(dead.path, new Date(1_000), new Date(1_000));
    await store.sweep(Date.now() - 60_000);
    expect([existsSync(dead.path), existsSync(alive.path)]).toEqual([false, true]);
    expect(String(await read(store, location))).toBe('kept');
  });
}
