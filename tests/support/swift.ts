import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { CreateBucketCommand } from '@aws-sdk/client-s3';
import type { S3Settings } from '#server/config.ts';
import { openClient } from '#server/modules/files/s3-bucket.ts';
import { installDebianPackage } from './debian-package.ts';

/** Debian's own: its package of Swift is for this one alone. */
const PYTHON = '/usr/bin/python3';
const SERVER = fileURLToPath(new URL('swift-server.py', import.meta.url));

/** Why no Swift can be run here; null where one can. Installs it where that may be done. */
export function obstacleToSwift(): string | null {
  try {
    if (!isThere()) installDebianPackage('python3-swift');
    return isThere() ? null : MISSING;
  } catch {
    return MISSING;
  }
}

const MISSING = 'Swift is missing. Debian, Ubuntu: sudo apt-get install python3-swift';

function isThere(): boolean {
  try {
    execFileSync(PYTHON, ['-c', 'import swift.proxy.server'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** A Swift of its own, with its S3 interface on a port that stays the same. */
export interface Swift {
  /** the settings of a new bucket below a prefix */
  newBucket(): Promise<S3Settings>;
  stop(): Promise<void>;
  /** Starts it again with what it has stored. */
  start(): Promise<void>;
  /** Stops it for good. */
  remove(): Promise<void>;
}

/** @throws {Error} with what it said where it does not start within 30 s */
export async function startSwift(): Promise<Swift> {
  const directory = await mkdtemp(join(tmpdir(), 'indexdesk-swift-'));
  let port = 0;
  let running: { end: () => Promise<unknown> } | undefined;
  let buckets = 0;
  const start = async () => {
    const child = spawn(PYTHON, [SERVER, directory, String(port)], { stdio: 'pipe' });
    const exit = once(child, 'exit');
    const end = () => {
      child.kill('SIGKILL');
      return exit;
    };
    const killWithTests = () => child.kill('SIGKILL');
    process.once('exit', killWithTests);
    void exit.then(() => process.off('exit', killWithTests));
    running = { end };
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
    const late = setTimeout(() => child.kill('SIGKILL'), 30_000);
    for await (const line of createInterface(child.stdout)) {
      port = Number(/^listening on ([0-9]+)$/.exec(line)?.[1] ?? 0);
      if (port > 0) break;
    }
    clearTimeout(late);
    if (port === 0) throw new Error(`Swift does not start.\n${log}`);
  };
  const stop = async () => {
    await running?.end();
    running = undefined;
  };
  const remove = async () => {
    await stop();
    await rm(directory, { recursive: true, force: true });
  };
  await start().catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    async newBucket() {
      const settings: S3Settings = {
        endpoint: `http://127.0.0.1:${port}`,
        region: 'us-east-1',
        bucket: `bucket-${++buckets}`,
        prefix: 'desk/files/',
        pathStyle: true,
        keys: { accessKeyId: 'test:tester', secretAccessKey: 'testing' },
      };
      await openClient(settings).send(new CreateBucketCommand({ Bucket: settings.bucket }));
      return settings;
    },
    start,
    stop,
    remove,
  };
}
