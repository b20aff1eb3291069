import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { lockDataDirectory } from '#server/database/data-directory.ts';

let parent = '';
beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'indexdesk-test-'));
});
afterEach(() => rm(parent, { recursive: true, force: true }));

/** Another process that holds the lock until it is ended. */
async function lockElsewhere(dataDir: string) {
  const module = new URL('../../../src/server/database/data-directory.ts', import.meta.url);
  const script = `
    const { lockDataDirectory } = await import(${JSON.stringify(module.href)});
    await lockDataDirectory(${JSON.stringify(dataDir)});
    console.log('locked');
    setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

it('is made for its owner alone', async () => {
  const dataDir = join(parent, 'deep', 'data');
  const lock = await lockDataDirectory(dataDir);
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  lock.release();
});

it('is locked by one at a time', async () => {
  const lock = await lockDataDirectory(parent);
  await expect(lockDataDirectory(parent)).rejects.toThrow('Stop that process');
  lock.release();
  const next = await lockDataDirectory(parent);
  next.release();
});

it('is locked among processes, and free as soon as the holder is killed', async () => {
  const child = await lockElsewhere(parent);
  await expect(lockDataDirectory(parent)).rejects.toThrow('in use by another Indexdesk process');
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  const lock = await lockDataDirectory(parent);
  lock.release();
});

it('is said plainly when it cannot be made', async () => {
  const file = join(parent, 'file');
  await writeFile(file, '');
  await expect(lockDataDirectory(join(file, 'data'))).rejects.toThrow(/cannot be created/);
  await expect(lockDataDirectory('/proc/indexdesk/data')).rejects.toThrow(/cannot be created/);
});
