import { execFileSync } from 'node:child_process';
import { readFileSync, realpathSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import * as z from 'zod';
import { SCHEMA_VERSION } from './database/migrations/migrate.ts';

/** The version of this program. */
interface BuildInfo {
  /** of the package, such as `1.2.3` */
  readonly version: string;
  /** the first 12 digits of the commit that it was built from, or `unknown` */
  readonly commit: string;
  /** the database version that it needs */
  readonly schema: number;
}

const PROJECT = resolve(import.meta.dirname, '../..');
const UNKNOWN = 'unknown';
const GIT_TIMEOUT_MS = 2_000;

const packageSchema = z.object({ version: z.string() });
/** Written by scripts/prepare-package.js. */
const buildSchema = z.object({ commit: z.string() });

let known: BuildInfo | undefined;

/** Cached per process. In a checkout the commit comes from git, in an installed package from the build. */
export function readBuildInfo(): BuildInfo {
  known ??= { version: readVersion(), commit: readCommit(), schema: SCHEMA_VERSION };
  return known;
}

function readVersion(): string {
  return packageSchema.parse(readJson('package.json')).version;
}

function readCommit(): string {
  const isCheckout = extname(import.meta.filename) === '.ts';
  try {
    return isCheckout ? commitOfCheckout() : buildSchema.parse(readJson('dist/build.json')).commit;
  } catch {
    // Without git, or in an unpacked source archive.
    return UNKNOWN;
  }
}

function commitOfCheckout(): string {
  const args = ['-C', PROJECT, 'rev-parse', '--show-toplevel', 'HEAD'];
  const answer = execFileSync('git', args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: GIT_TIMEOUT_MS,
  });
  const [root = '', commit = ''] = answer.split('\n');
  // Sources that were unpacked inside another project's checkout do not belong to its commit.
  return realpathSync(root) === realpathSync(PROJECT) ? commit.slice(0, 12) : UNKNOWN;
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(resolve(PROJECT, path), 'utf8'));
}
