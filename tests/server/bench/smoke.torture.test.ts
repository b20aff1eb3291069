import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';

/*
 * Each benchmark of the server runs, as small as can be, and gives its figures. Which they are is not looked at: a
 * test must not depend on the machine.
 */

const PROJECT = resolve(import.meta.dirname, '../../..');
const FIGURES = {
  saves: ['PATCH one revision', 'PUT one revision', 'POST one dataset', 'PUT one dataset'],
  postgres: ['PATCH one revision, PostgreSQL'],
  'lists-postgres': ['revisions: first page', 'datasets: search by part of a word'],
  'add-field': ['pages and saves of 20 clerks while a text field is added, PostgreSQL, p95'],
  'change-definition': [
    'pages and saves of 20 clerks while a field is added, SQLite, p95',
    'pages and saves of 20 clerks while a field is retired, PostgreSQL, p95',
  ],
  checks: ['a changed check, until it is counted', 'PATCH one revision with twenty checks, p50'],
  'load-large': ['load of small rows with ids and a unique column, SQLite: memory at most'],
  lists: [
    'revisions: first page',
    'revisions: deep by after',
    'datasets: search by part of a word',
  ],
  batches: ['PATCH 100 revisions', 'POST 600 datasets'],
  'batches-postgres': ['PATCH 100 revisions, PostgreSQL'],
  calls: ['count of all', 'sign-in', 'file of 10 MB, fetched', 'history of a revision'],
  uploads: ['documents with a file of 200 KB, uploaded'],
  together: ['save beside an export, a bulk edit and 20 readers, p99'],
  verify: ['verify, SQLite', 'verify, PostgreSQL'],
  starts: ['start until it listens', 'memory before load', 'memory under load, at most'],
} as const;

const figure = z.number().positive();
const keptSchema = z.object({
  rows: z.array(
    z.object({ what: z.string(), value: figure, floors: z.record(z.string(), figure) }),
  ),
});

describe('The benchmarks of the server', () => {
  let folder = '';
  afterAll(() => rm(folder, { recursive: true, force: true }));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'indexdesk-smoke-'));
    // PostgreSQL runs as another user, who has to pass through.
    await chmod(folder, 0o755);
    const environment = {
      ...process.env,
      // The databases are made there, and not kept.
      TMPDIR: folder,
      INDEXDESK_BENCH_RESULTS: join(folder, 'results'),
      INDEXDESK_BENCH_ROWS: '600',
      INDEXDESK_BENCH_CONNECTIONS: '2',
      INDEXDESK_BENCH_PINNED: '0',
      INDEXDESK_BENCH_ROUNDS: '1',
      INDEXDESK_BENCH_SECONDS: '0.02',
    };
    const command = [join(PROJECT, 'bench', 'main.ts'), ...Object.keys(FIGURES)];
    await promisify(execFile)(process.execPath, command, { env: environment, cwd: PROJECT });
  }, 30 * 60_000);

  it.each(Object.entries(FIGURES))('measures %s', async (name, wanted) => {
    const text = await readFile(join(folder, 'results', `${name}.json`), 'utf8');
    const { rows } = keptSchema.parse(JSON.parse(text));
    expect(rows.map(({ what }) => what)).toEqual(expect.arrayContaining([...wanted]));
  });

  it('leaves no copy of a database behind', async () => {
    const left = (await readdir(folder)).filter((name) => name.includes('copy'));
    expect(left).toEqual([]);
  });
});
