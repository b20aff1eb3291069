import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CreateMultipartUploadCommand, ListMultipartUploadsCommand } from '@aws-sdk/client-s3';
import type { S3Settings } from '#server/config.ts';
import { s3Store } from '#server/modules/files/s3-store.ts';
import { openClient, S3Bucket } from '#server/modules/files/s3-bucket.ts';
import { startCuttingProxy } from '#tests/support/cutting-proxy.ts';
import { isMissing } from '#tests/support/skipping.ts';
import { obstacleToSwift, startSwift, type Swift } from '#tests/support/swift.ts';
import { keep, keepsFiles, PART, read, received, same } from './store-cases.ts';

const folder = mkdtempSync(join(tmpdir(), 'indexdesk-stores-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

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
    const command = new ListMultipartUploadsCommand({ Bucket: settings.bucket });
    return (await openClient(settings).send(command)).Uploads?.length ?? 0;
  };

  keepsFiles(open);

  it('does not take other bytes than were announced', async () => {
    const file = await received(open(), Buffer.from('one'));
    await writeFile(file.path, 'two');
    await expect(open().put(file)).rejects.toThrow('has changed');
    expect(await new S3Bucket(settings).sizeOf(`${file.sha256.slice(0, 2)}/${file.sha256}`)).toBe(
      null,
    );
  });

  it('removes the parts of an upload that came to nothing', async () => {
    const client = openClient(settings);
    const { bucket: Bucket, prefix } = settings;
    for (const name of [`aa/${'a'.repeat(64)}`, 'not-ours']) {
      await client.send(new CreateMultipartUploadCommand({ Bucket, Key: prefix + name }));
    }
    expect(await uploads()).toBe(2);
    await open().sweep(Date.now() - 60_000);
    expect(await uploads()).toBe(2);
    await open().sweep(Date.now() + 60_000);
    expect(await uploads()).toBe(1);

    const bytes = randomBytes(3 * PART);
    const file = await received(open(), bytes);
    await writeFile(file.path, bytes.subarray(0, 2 * PART + 1));
    await expect(open().put(file)).rejects.toThrow('has changed');
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
      /There is no bucket missing at http:\/\/127\.0\.0\.1:[0-9]+: It answered with status 404/,
    );
    expect(
      await objections({ keys: { accessKeyId: 'test:tester', secretAccessKey: 'other' } }),
    ).toMatch(
      /The keys have no right to store and read files in the bucket bucket-1 of .*: It answered with status 403/,
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
    await expect(open().put(file)).rejects.toMatchObject(unavailable);
    await expect(open().open(location)).rejects.toMatchObject(unavailable);
    await swift.start();
    expect((await read(open(), await open().put(file))).length).toBe(2 * PART);
    expect(same(await read(open(), location), bytes)).toBe(true);
  });
});
