import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { S3Settings } from '#server/config.ts';
import { revisionsAnswer } from '#shared/contract/answers.ts';
import { PASSWORD } from '#tests/support/app.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { isMissing } from '#tests/support/skipping.ts';
import { ServiceClient, type ServiceAnswer } from '#tests/support/service-client.ts';
import { startService, type ServiceProcess } from '#tests/support/service-process.ts';
import { obstacleToSwift, startSwift, type Swift } from '#tests/support/swift.ts';
import { ARCHIVE, prepareLedger, USERNAME } from './ledger-content.ts';
import { repeated } from '#tests/support/effort.ts';

const MIB = 1024 * 1024;
const KILLS = repeated(1);
const DOCUMENTS = `${ARCHIVE}/documents`;

describe.skipIf(isMissing(obstacleToSwift()))('two processes with files in one bucket', () => {
  let swift: Swift;
  let settings: S3Settings;
  let one: ServiceProcess;
  let other: ServiceProcess;
  let client: ServiceClient;
  let start: () => Promise<ServiceProcess>;
  const databases = testDatabases('postgres');

  beforeAll(async () => {
    swift = await startSwift();
    settings = await swift.newBucket();
    const database = await databases.prepare();
    await prepareLedger(database);
    start = () =>
      startService({
        ...database,
        args: ['--empty', '--files', `s3://${settings.bucket}/desk`],
        environment: {
          INDEXDESK_S3_ENDPOINT: settings.endpoint,
          INDEXDESK_S3_ACCESS_KEY_ID: settings.keys?.accessKeyId ?? '',
          INDEXDESK_S3_SECRET_ACCESS_KEY: settings.keys?.secretAccessKey ?? '',
        },
      });
    [one, other] = await Promise.all([start(), start()]);
    client = new ServiceClient(one.url);
    await client.signIn(USERNAME, PASSWORD);
  });
  afterAll(async () => {
    await Promise.all([one?.kill(), other?.kill()]);
    await swift?.remove();
  });

  const store = (process: ServiceProcess, files: readonly Buffer[], key: string = randomUUID()) => {
    client.url = process.url;
    const form = new FormData();
    for (const [i, bytes] of files.entries()) {
      form.append('files', new Blob([new Uint8Array(bytes)]), `file ${i}.bin`);
    }
    return client.send({
      method: 'POST',
      path: DOCUMENTS,
      form,
      headers: { 'idempotency-key': key },
    });
  };
  const idOf = ({ status, body }: ServiceAnswer): string => {
    expect(status).toBe(201);
    return revisionsAnswer.parse(body).archivedocumentrevisions[0]?.revisionId ?? '';
  };
  const get = (process: ServiceProcess, path: string, headers = {}) => {
    client.url = process.url;
    return client.send({ method: 'GET', path, headers });
  };
  const count = async () => {
    const { body } = await get(other, `${ARCHIVE}/index?limit=1`);
    return Number(Object(body).meta.pagination.total);
  };

  it('what one has stored the other reads, whole, in part and as a zip', async () => {
    const files = [randomBytes(100_000), randomBytes(20 * MIB)];
    const id = idOf(await store(one, files));
    const first = await get(other, `${DOCUMENTS}/${id}/file`);
    expect(first.bytes.equals(files[0] ?? Buffer.of())).toBe(true);
    const part = await get(other, `${DOCUMENTS}/${id}/file`, { range: 'bytes=-1000' });
    expect(part.status).toBe(206);
    expect(part.bytes).toEqual(files[0]?.subarray(-1_000));
    const zip = await get(other, `${DOCUMENTS}/${id}/files`);
    expect([zip.status, zip.bytes.subarray(0, 4).toString('latin1')]).toEqual([
      200,
      'PK\u0003\u0004',
    ]);
    expect(zip.bytes.length).toBeGreaterThan(20 * MIB);
  });

  it(
    `loses and doubles nothing in kills amid uploads`,
    async () => {
      const before = await count();
      for (let round = 0; round < KILLS; round++) {
        const bytes = randomBytes(20 * MIB);
        const key = randomUUID();
        const answer = store(one, [bytes], key).catch(() => null);
        await wait(100 + Math.random() * 800);
        await one.kill();
        const answered = await answer;
        const repeated = await store(other, [bytes], key);
        const id = idOf(repeated);
        if (answered) expect(idOf(answered)).toBe(id);
        expect(await count()).toBe(before + round + 1);
        const read = await get(other, `${DOCUMENTS}/${id}/file`);
        expect(read.bytes.equals(bytes)).toBe(true);
        one = await start();
      }
    },
    30_000 * (KILLS + 1),
  );

  it('answers 503 to what needs the bucket while it is away, and saves nothing', async () => {
    const bytes = randomBytes(50_000);
    const kept = idOf(await store(one, [bytes]));
    const before = await count();
    const key = randomUUID();
    await swift.stop();
    const refused = await store(one, [randomBytes(10), bytes], key);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(refused.body).toMatchObject({
      code: 'unavailable',
      errors: { '-': ['The file storage cannot be reached. Nothing was saved.'] },
    });
    for (const path of ['file', 'files']) {
      expect((await get(other, `${DOCUMENTS}/${kept}/${path}`)).status).toBe(503);
    }
    expect((await get(other, `${DOCUMENTS}/${kept}`)).status).toBe(200);
    expect(await count()).toBe(before);
    await expect(start()).rejects.toThrow(/Files cannot be stored in the bucket .*ECONNREFUSED/);

    await swift.start();
    const id = idOf(await store(other, [bytes], key));
    expect(await count()).toBe(before + 1);
    expect((await get(one, `${DOCUMENTS}/${id}/file`)).bytes.equals(bytes)).toBe(true);
  });
});
