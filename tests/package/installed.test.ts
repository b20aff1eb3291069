import { execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { SCHEMA_VERSION } from '#server/database/migrations/migrate.ts';
import { PASSWORD, useService } from './support/use-service.ts';

const run = promisify(execFile);
const PROJECT = resolve(import.meta.dirname, '../..');

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'indexdesk-installed-'));
  await writeFile(join(folder, 'package.json'), '{"private":true}');
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...flags, inject('tarball')], { cwd: folder });
});
afterAll(() => rm(folder, { recursive: true, force: true }));

it('contains the guides and examples, and its pages link to files that are in it', async () => {
  const root = join(folder, 'node_modules/indexdesk');
  const pages = (await readdir(join(root, 'docs/guides'))).map((name) => `docs/guides/${name}`);
  expect(pages).toContain('docs/guides/installation.md');
  await expect(access(join(root, 'scripts/verify-audit-export.js'))).resolves.toBeUndefined();
  const examples = ['deploy', 'invoices', 'tate'].map((name) => `examples/${name}/README.md`);
  for (const page of [...pages, ...examples]) {
    const text = await readFile(join(root, page), 'utf8');
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:)([^)#]+)(?:#[\w-]+)?\)/g)) {
      const path = resolve(root, dirname(page), target);
      await expect(access(path), `${page}: ${target}`).resolves.toBeUndefined();
    }
  }
});

it('contains no sources, no tests and nothing of source control', async () => {
  const names = await readdir(join(folder, 'node_modules/indexdesk'));
  expect(names).toEqual(expect.arrayContaining(['dist', 'SECURITY.md']));
  expect(names.filter((name) => name.startsWith('.') || ['src', 'tests'].includes(name))).toEqual(
    [],
  );
});

it('takes at most 100 MB installed', async () => {
  const { stdout } = await run('du', ['-sk', folder]);
  const megabytes = Number.parseInt(stdout, 10) / 1024;
  console.log(`Installed: ${megabytes.toFixed(0)} MB.`);
  expect(megabytes).toBeLessThanOrEqual(100);
});

it('contains the client of buckets, which is not installed', async () => {
  const packages = await readdir(join(folder, 'node_modules'));
  expect(packages).not.toContain('@aws-sdk');
  const bucket = join(folder, 'node_modules/indexdesk/dist/server/modules/files/s3-bucket.js');
  const script = `await import(${JSON.stringify(bucket)})`;
  await run(process.execPath, ['--input-type=module', '--eval', script]);
});

it('tells version, commit and schema', async () => {
  const { version } = JSON.parse(await readFile(join(PROJECT, 'package.json'), 'utf8'));
  const git = ['rev-parse', '--short=12', 'HEAD'];
  const commit = execFileSync('git', git, { cwd: PROJECT, encoding: 'utf8' }).trim();
  const { stdout } = await run('npx', ['--no', '--', 'indexdesk', '--version'], { cwd: folder });
  expect(stdout).toBe(`${version} (commit ${commit}, schema ${SCHEMA_VERSION})\n`);
});

it('serves, is signed in to, saves, and ends with npx', async () => {
  const home = join(folder, 'home');
  await mkdir(home);
  const args = ['--no', '--', 'indexdesk', 'serve', '--port', '0', '--data', join(home, 'data')];
  const child = spawn('npx', args, {
    cwd: folder,
    env: { ...process.env, INDEXDESK_ADMIN_PASSWORD: PASSWORD, INDEXDESK_DRAIN_SECONDS: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  const closed = once(child, 'close');
  let used = false;
  try {
    for await (const line of createInterface(child.stdout)) {
      const [, url] = /^Indexdesk listening on (\S+)$/.exec(line) ?? [];
      if (url === undefined) continue;
      await useService(url);
      used = true;
      child.kill('SIGTERM');
    }
  } finally {
    child.kill('SIGTERM');
  }
  await closed;
  expect([used, log]).toEqual([true, expect.stringContaining('"msg":"service stopped"')]);
});
