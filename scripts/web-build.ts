import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';

const PROJECT = resolve(import.meta.dirname, '..');
/** The files and folders from which the web admin is built; the lock file stands for the packages. */
const SOURCES = [
  'src/web',
  'src/shared',
  'public',
  'index.html',
  'vite.config.ts',
  'scripts/catalogue-language.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];
/** The file in the build that holds the digest of its sources. Its dot hides it from the service. */
export const DIGEST_FILE = '.sources';

/**
 * A digest of the paths and contents of everything that the web admin is built from. Times of files do not tell whether
 * they changed: an archive that is unpacked sets old ones.
 * @param project the folder of the checkout
 */
export async function digestWebSources(project = PROJECT): Promise<string> {
  const hash = createHash('sha256');
  for (const source of SOURCES) {
    for (const path of await filesIn(join(project, source))) {
      const content = await readFile(path);
      hash.update(`${relative(project, path)}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest('hex');
}

/** Where the web admin is built in a language, a folder of `src/shared/messages`. */
export function webFolder(language: string): string {
  return language === 'en' ? 'dist/web' : `dist/web-${language}`;
}

/**
 * Builds the web admin unless it is built from the present sources.
 * @param onBuild called before a build, which takes some seconds
 * @param language a folder of `src/shared/messages`, or `pseudo`
 * @throws {Error} with the bundler's messages where the build fails
 */
export async function buildWebAdmin(
  onBuild: () => void = () => undefined,
  language = 'en',
): Promise<void> {
  const built = await readFile(join(PROJECT, webFolder(language), DIGEST_FILE), 'utf8').catch(
    () => '',
  );
  if (built === (await digestWebSources())) return;
  onBuild();
  const vite = dirname(createRequire(import.meta.url).resolve('vite/package.json'));
  const args = [join(vite, 'bin', 'vite.js'), 'build', '--logLevel', 'error'];
  const env = { ...process.env, INDEXDESK_WEB_LANGUAGE: language };
  await promisify(execFile)(process.execPath, args, { cwd: PROJECT, env });
}

/** A file itself, or all files in a folder, in an order that does not depend on the file system. */
async function filesIn(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}
