import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { variableOf, type S3Settings } from '#server/config.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { isMissing } from '#tests/support/skipping.ts';
import { obstacleToSwift, startSwift, type Swift } from '#tests/support/swift.ts';
import { buildInstallation } from '../verification/installation.ts';
import { placeOf, run, sideOf } from './copy-command.ts';

describe.skipIf(isMissing(obstacleToSwift()))('a copy whose files lie in a bucket', () => {
  const sources = testDatabases('sqlite');
  const targets = testDatabases('postgres');
  let swift: Swift;
  let bucket: S3Settings;
  let folder = '';
  beforeAll(async () => {
    swift = await startSwift();
    bucket = await swift.newBucket();
    folder = await mkdtemp(join(tmpdir(), 'indexdesk-test-'));
  });
  afterAll(async () => {
    await swift?.remove();
    await rm(folder, { recursive: true, force: true });
  });

  it('has them all, there and back', async () => {
    const t = await buildInstallation(sources);
    const config = await targets.prepare();
    const files = `s3://${bucket.bucket}/${bucket.prefix}`;
    const environment = {
      [variableOf('s3-endpoint')]: bucket.endpoint,
      [variableOf('s3-region')]: bucket.region,
      [variableOf('s3-path-style')]: String(bucket.pathStyle),
      [variableOf('s3-access-key-id')]: bucket.keys?.accessKeyId ?? '',
      [variableOf('s3-secret-access-key')]: bucket.keys?.secretAccessKey ?? '',
    };
    const there = ['copy', ...sideOf('from', t.config), ...sideOf('to', config)];
    expect(await run([...there, '--to-files', files], environment)).toMatchObject({ code: 0 });
    const verify = ['verify', '--contents'];
    const inBucket = await run([...verify, '--files', files, ...placeOf(config)], environment);
    expect(inBucket.told).toMatch(/Files: [1-9][0-9]* files read and compared: no findings/);
    expect(inBucket.code).toBe(0);
    // They are nowhere else.
    expect(await run([...verify, ...placeOf(config)])).toMatchObject({ code: 1 });

    const again = { dataDir: join(folder, 'again') };
    const back = ['copy', ...sideOf('from', config), ...sideOf('to', again)];
    expect(await run([...back, '--from-files', files], environment)).toMatchObject({ code: 0 });
    expect(await run([...verify, ...placeOf(again)])).toMatchObject({ code: 0 });
  });
});
