import { execFile } from 'node:child_process';
import { chmod, copyFile, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';

const run = promisify(execFile);
const PROJECT = resolve(import.meta.dirname, '../..');
/** As `USER` in the Containerfile. */
const USER = 'indexdesk:x:65532:65532::/data:/nowhere\n';
const GROUP = 'indexdesk:x:65532:\n';

/** A prepared folder, with what the Containerfile takes as arguments. */
export interface ImageContext {
  readonly folder: string;
  readonly version: string;
  readonly commit: string;
}

/**
 * Prepares the folder from which the Containerfile builds: the running Node with the shared libraries that it loads,
 * and the packed package with the exact packages of the lock file.
 * @param tarball made by `npm pack` from this checkout
 * @param folder is emptied first
 * @throws {Error} where npm cannot install, or this is not Linux with glibc
 */
export async function writeImageContext(tarball: string, folder: string): Promise<ImageContext> {
  const root = join(folder, 'rootfs');
  const app = join(root, 'opt/indexdesk');
  await rm(folder, { recursive: true, force: true });
  for (const path of ['data', 'etc', 'usr/local/bin', 'opt/indexdesk']) {
    await mkdir(join(root, path), { recursive: true, mode: 0o755 });
  }
  await copyNode(root);
  await writeFile(join(root, 'etc/passwd'), USER);
  await writeFile(join(root, 'etc/group'), GROUP);
  const unneeded = ['package/docs', 'package/examples/deploy', 'package/examples/tate'].map(
    (path) => `--exclude=${path}`,
  );
  await run('tar', ['-xzf', tarball, '-C', app, '--strip-components=1', ...unneeded]);
  await copyFile(join(PROJECT, 'package-lock.json'), join(app, 'package-lock.json'));
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['ci', ...flags], { cwd: app });
  await cp(join(import.meta.dirname, 'prune.js'), join(folder, 'prune.js'));
  return { folder, ...(await readIdentity(app)) };
}

async function copyNode(root: string): Promise<void> {
  const node = process.execPath;
  await copyFile(node, join(root, 'usr/local/bin/node'));
  await chmod(join(root, 'usr/local/bin/node'), 0o755);
  const { stdout } = await run('ldd', [node]);
  const libraries = [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path);
  if (libraries.length === 0) throw new Error(`ldd names no libraries of ${node}:\n${stdout}`);
  for (const library of libraries) {
    const target = join(root, library);
    await mkdir(dirname(target), { recursive: true, mode: 0o755 });
    // Follows symbolic links: the loader looks for the name alone.
    await copyFile(library, target);
  }
}

async function readIdentity(app: string): Promise<{ version: string; commit: string }> {
  const read = async (path: string): Promise<unknown> =>
    JSON.parse(await readFile(join(app, path), 'utf8'));
  const { version } = z.object({ version: z.string() }).parse(await read('package.json'));
  const { commit } = z.object({ commit: z.string() }).parse(await read('dist/build.json'));
  return { version, commit };
}
