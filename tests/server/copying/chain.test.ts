import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '#server/command-line/command-line.ts';
import { variableOf, type S3Settings } from '#server/config.ts';
import type { DatabaseConfig } from '#server/db/database.ts';
import { formatHead, readHead } from '#server/modules/verification/verification.service.ts';
import { testDatabases } from '#tests/support/databases.ts';
import { isMissing } from '#tests/support/means.ts';
import { obstacleToSwift, startSwift, type Swift } from '#tests/support/swift.ts';
import {
  append,
  buildInstallation,
  sealAll,
  tamper,
  type Installation,
} from '../verification/installation.ts';

/** Runs a command within this process. */
async function run(args: readonly string[], environment: Record<string, string> = {}) {
  const told: string[] = [];
  const tell = (line: string) => void told.push(line);
  const code = await runCommandLine(args, environment, { out: tell, err: tell });
  return { code, told: told.join('\n') };
}

const sideOf = (side: 'from' | 'to', { dataDir, databaseUrl }: DatabaseConfig) =>
  databaseUrl === undefined
    ? [`--${side}`, dataDir]
    : [`--${side}`, databaseUrl, `--${side}-data`, dataDir];
const placeOf = ({ dataDir, databaseUrl }: DatabaseConfig) => [
  '--data',
  dataDir,
  ...(databaseUrl === undefined ? [] : ['--database-url', databaseUrl]),
];

const PAIRS = [
  { from: 'sqlite', to: 'postgres' },
  { from: 'postgres', to: 'sqlite' },
] as const;

describe.each(PAIRS)('the chain of a copy from $from to $to', ({ from, to }) => {
  const sources = testDatabases(from);
  const targets = testDatabases(to);
  let t: Installation;
  let head = '';
  beforeAll(async () => {
    t = await buildInstallation(sources);
    await sealAll(t.database);
    head = formatHead(await t.database.read(readHead));
  });

  it('is the same, goes on from there, and still tells of what was rewritten', async () => {
    const config = await targets.prepare();
    const copied = await run(['copy', ...sideOf('from', t.config), ...sideOf('to', config)]);
    expect(copied).toMatchObject({ code: 0 });
    const verify = () =>
      run(['verify', '--contents', '--since', head, ...placeOf(config)]).then(({ code, told }) => ({
        code,
        told: told.split('\n').filter((line) => !line.startsWith('Table ')),
      }));
    expect(await verify()).toMatchObject({ code: 0 });

    const target = await targets.open(config);
    expect(formatHead(await target.read(readHead))).toBe(head);
    await append(target, 'after the copy');
    await sealAll(target);
    expect(formatHead(await target.read(readHead))).not.toBe(head);
    expect(await verify()).toMatchObject({ code: 0 });

    await tamper(target, (db) =>
      db.k.updateTable('history').set({ address: '10.9.9.9' }).where('id', '=', 1).execute(),
    );
    const { code, told } = await verify();
    expect(code).toBe(1);
    expect(told.join('\n')).toContain('history 1, position 1: the entry was altered');
  });
});

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
      [variableOf('s3-access-key-id')]: bucket.accessKeyId,
      [variableOf('s3-secret-access-key')]: bucket.secretAccessKey,
    };
    const there = ['copy', ...sideOf('from', t.config), ...sideOf('to', config)];
    expect(await run([...there, '--to-files', files], environment)).toMatchObject({ code: 0 });
    const verify = ['verify', '--contents'];
    const inBucket = await run([...verify, '--files', files, ...placeOf(config)], environment);
    expect(inBucket.told).toMatch(/Files: [1-9][0-9]* files read and compared: nothing found/);
    expect(inBucket.code).toBe(0);
    // They are nowhere else.
    expect(await run([...verify, ...placeOf(config)])).toMatchObject({ code: 1 });

    const again = { dataDir: join(folder, 'again') };
    const back = ['copy', ...sideOf('from', config), ...sideOf('to', again)];
    expect(await run([...back, '--from-files', files], environment)).toMatchObject({ code: 0 });
    expect(await run([...verify, ...placeOf(again)])).toMatchObject({ code: 0 });
  });
});
