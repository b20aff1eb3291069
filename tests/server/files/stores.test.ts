import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { S3Settings } from '#server/config.ts';
import { directoryStore } from '#server/modules/files/directory-store.ts';
import type { FileStore, Incoming } from '#server/modules/files/file-store.ts';
import { s3Store } from '#server/modules/files/s3-store.ts';
import { S3Client } from '#server/modules/files/s3/client.ts';
import { startCuttingProxy } from '#tests/support/cutting-proxy.ts';
import { isMissing } from '#tests/support/means.ts';
import { obstacleToSwift, startSwift, type Swift } from '#tests/support/swift.ts';

const MIB = 1024 * 1024;
/** The least that the Swift of the tests takes. */
const PART = MIB;

const folder = mkdtempSync(join(tmpdir(), 'indexdesk-stores-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A received file. */
async function received(store: FileStore, bytes: Buffer): Promise<Incoming> {
  await mkdir(store.incomingDir, { recursive: true });
  const path = join(store.incomingDir, randomUUID());
  await writeFile(path, bytes);
  return { path, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}
const keep = async (store: FileStore, bytes: Buffer) => store.keep(await received(store, bytes));
const read = async (store: FileStore, location: string, range?: { first: number; last: number }) =>
  buffer(await store.open(location, range));
/** Whether two are the same; comparing megabytes by `toEqual` takes seconds. */
const same = (one: Buffer, other: Buffer) => one.equals(other);

/** @param open the same store each time, as two processes open it */
function keepsFiles(open: () => FileStore) {
  it.each([0, 1, 100_000, PART, PART + 1, 3 * PART + 77])(
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

describe('a directory', () => {
  const root = join(folder, 'shared', 'files');
  keepsFiles(() => directoryStore(root));

  it('says where it cannot be written to', async () => {
    const path = join(folder, 'a file');
    await writeFile(path, '');
    await expect(directoryStore(path).check()).rejects.toThrow(
      `Files cannot be stored in the directory ${path}: ENOTDIR`,
    );
  });

  it.runIf(existsSync('/proc/self'))('is refused where none can be made', async () => {
    const path = '/proc/indexdesk/files';
    await expect(directoryStore(path).check()).rejects.toThrow(
      `Files cannot be stored in the directory ${path}: ENOENT`,
    );
  });

  it('replaces a file that is not whole', async () => {
    const store = directoryStore(root);
    const bytes = randomBytes(100);
    const location = await keep(store, bytes);
    await writeFile(join(root, location), '');
    await keep(store, bytes);
    expect(same(await read(store, location), bytes)).toBe(true);
  });
});

describe.skipIf(isMissing(obstacleToSwift()))("a bucket of Swift by S3's interface", () => {
  let swift: Swift;
  let settings: S3Settings;
  beforeAll(async () => {
    swift = await startSwift();
    settings = await swift.newBucket();
  });
  afterAll(() => swift?.remove());
  const incoming = join(folder, 'incoming');
  const open = (changed: Partial<S3Settings> = {}) =>
    s3Store({ ...settings, ...changed }, incoming, PART);
  const uploads = async () => {
    const { text } = await new S3Client(settings).ask({ method: 'GET', query: { uploads: '' } });
    return text.match(/<Upload>/g)?.length ?? 0;
  };

  keepsFiles(open);

  it('does not take other bytes than were announced', async () => {
    const file = await received(open(), Buffer.from('one'));
    await writeFile(file.path, 'two');
    await expect(open().keep(file)).rejects.toMatchObject({ code: 'unavailable' });
    expect(await new S3Client(settings).sizeOf(`${file.sha256.slice(0, 2)}/${file.sha256}`)).toBe(
      null,
    );
  });

  it('removes the parts of an upload that came to nothing', async () => {
    const client = new S3Client(settings);
    const key = `aa/${'a'.repeat(64)}`;
    await client.ask({ method: 'POST', key, query: { uploads: '' } });
    const foreign = { method: 'POST', key: 'not-ours', query: { uploads: '' } } as const;
    await client.ask(foreign);
    expect(await uploads()).toBe(2);
    await open().sweep(Date.now() - 60_000);
    expect(await uploads()).toBe(2);
    await open().sweep(Date.now() + 60_000);
    expect(await uploads()).toBe(1);

    const bytes = randomBytes(3 * PART);
    const file = await received(open(), bytes);
    await writeFile(file.path, bytes.subarray(0, 2 * PART + 1));
    await expect(open().keep(file)).rejects.toThrow('has become shorter');
    expect(await uploads()).toBe(1);
  });

  it('goes on where connections are cut, up and down', async () => {
    const proxy = await startCuttingProxy(settings.endpoint);
    try {
      const store = open({ endpoint: proxy.url });
      for (const size of [PART - 1, 3 * PART]) {
        const bytes = randomBytes(size);
        proxy.cutNext(2, { sent: 300_000 });
        const location = await keep(store, bytes);
        expect(proxy.cuts()).toBe(2);
        proxy.cutNext(2, { answered: 400_000 });
        expect(same(await read(store, location), bytes)).toBe(true);
        expect(proxy.cuts()).toBe(2);
        proxy.cutNext(2, { answered: 400_000 });
        const part = await read(store, location, { first: 7, last: size - 7 });
        expect(same(part, bytes.subarray(7, size - 6))).toBe(true);
      }
    } finally {
      await proxy.close();
    }
  });

  it('says at the start what is wrong', async () => {
    const objections = async (changed: Partial<S3Settings>) =>
      open(changed)
        .check()
        .then(() => 'nothing', String);
    expect(await objections({ bucket: 'missing' })).toMatch(
      /There is no bucket missing at http:\/\/127\.0\.0\.1:[0-9]+: It answers 404/,
    );
    expect(await objections({ secretAccessKey: 'other' })).toMatch(
      /The keys may not store and read files in the bucket bucket-1 of .*: It answers 403/,
    );
    expect(await objections({ endpoint: 'http://127.0.0.1:1' })).toMatch(
      /Files cannot be stored in the bucket bucket-1 of http:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/,
    );
    expect(await readdir(incoming)).not.toContain('probe');
  });

  it('answers unavailable while it is away, and works again afterwards', async () => {
    const bytes = randomBytes(1_000);
    const location = await keep(open(), bytes);
    const file = await received(open(), randomBytes(2 * PART));
    await swift.stop();
    const unavailable = { code: 'unavailable', headers: { 'retry-after': '5' } };
    await expect(open().keep(file)).rejects.toMatchObject(unavailable);
    await expect(open().open(location)).rejects.toMatchObject(unavailable);
    await swift.start();
    expect((await read(open(), await open().keep(file))).length).toBe(2 * PART);
    expect(same(await read(open(), location), bytes)).toBe(true);
  });
});
