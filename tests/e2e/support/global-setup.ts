import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { startService } from '#tests/support/service-process.ts';
import { MORE_CONTENT, PASSWORD } from './content.ts';
import { runCommand } from './command.ts';

const PROJECT = resolve(import.meta.dirname, '../../..');

/**
 * Prepares the run: the web admin as it is built from the sources of now, and a data directory with the
 * sample content and the tests' own, of which each spec file gets a copy.
 */
export default async function setup(): Promise<() => Promise<void>> {
  await buildWebAdmin();
  const folder = await mkdtemp(join(tmpdir(), 'indexdesk-e2e-'));
  const cleanUp = () => rm(folder, { recursive: true, force: true });
  try {
    const dataDir = join(folder, 'content');
    const service = await startService({
      dataDir,
      environment: { INDEXDESK_ADMIN_PASSWORD: PASSWORD },
    });
    const code = await service.stop();
    if (code !== 0) throw new Error(`The service ended with ${code}.\n${service.log()}`);
    const file = join(folder, 'more.json');
    await writeFile(file, JSON.stringify(MORE_CONTENT));
    await runCommand(['load', file, '--data', dataDir]);
    process.env['INDEXDESK_E2E_CONTENT'] = dataDir;
  } catch (error) {
    await cleanUp();
    throw error;
  }
  return cleanUp;
}

/** Builds `dist/web` unless it is newer than everything it is made of. */
async function buildWebAdmin(): Promise<void> {
  const built = await changedAt(join(PROJECT, 'dist/web/index.html'));
  const sources = ['src/web', 'src/shared', 'public', 'index.html', 'package.json'];
  const newest = await Promise.all(sources.map((path) => newestIn(join(PROJECT, path))));
  if (built > Math.max(...newest)) return;
  const vite = join(dirname(createRequire(import.meta.url).resolve('vite/package.json')), 'bin');
  await promisify(execFile)(process.execPath, [join(vite, 'vite.js'), 'build'], { cwd: PROJECT });
}

async function newestIn(path: string): Promise<number> {
  const entries = (await stat(path)).isDirectory()
    ? await readdir(path, { recursive: true, withFileTypes: true })
    : [];
  const files = entries.map((entry) => join(entry.parentPath, entry.name));
  return Math.max(...(await Promise.all([path, ...files].map(changedAt))));
}

/** Milliseconds since 1970; 0 where there is no such file. */
async function changedAt(path: string): Promise<number> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
}
