// `npm run image [TARBALL]`: prepares build/image and builds localhost/indexdesk with buildah.
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { writeImageContext } from './context.ts';

const run = promisify(execFile);
const PROJECT = resolve(import.meta.dirname, '../..');
const FOLDER = resolve(PROJECT, 'build/image');

async function pack(): Promise<string> {
  const to = resolve(PROJECT, 'build');
  await mkdir(to, { recursive: true });
  const { stdout } = await run('npm', ['pack', '--json', '--pack-destination', to], {
    cwd: PROJECT,
  });
  const [packed] = z.tuple([z.object({ filename: z.string() })]).parse(JSON.parse(stdout));
  return resolve(to, packed.filename);
}

const { version, commit } = await writeImageContext(process.argv[2] ?? (await pack()), FOLDER);
const args = [
  'build',
  // The OCI format has no health check.
  '--format=docker',
  `--build-arg=VERSION=${version}`,
  `--build-arg=COMMIT=${commit}`,
  `--tag=localhost/indexdesk:${version}`,
  `--file=${resolve(PROJECT, 'Containerfile')}`,
  FOLDER,
];
try {
  await run('buildah', args);
  process.stdout.write(`localhost/indexdesk:${version}\n`);
} catch (error) {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  process.stderr.write(`The image was not built.\n${said}\n`);
  process.stderr.write(`The folder is prepared; this builds it:\n  buildah ${args.join(' ')}\n`);
  process.exitCode = 1;
}
