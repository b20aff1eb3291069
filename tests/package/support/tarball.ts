import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import * as z from 'zod';

declare module 'vitest' {
  interface ProvidedContext {
    /** the path of the package as `npm pack` wrote it */
    tarball: string;
  }
}

const PROJECT = resolve(import.meta.dirname, '../../..');

/** Packs the checkout once per run. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'indexdesk-package-'));
  const args = ['pack', '--json', '--pack-destination', folder];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: PROJECT });
  const [{ filename }] = z
    .tuple([z.object({ filename: z.string() })])
    .parse(JSON.parse(stdout.slice(stdout.indexOf('['))));
  project.provide('tarball', join(folder, filename));
  return () => rm(folder, { recursive: true, force: true });
}
