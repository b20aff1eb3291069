import { mkdir, writeFile } from 'node:fs/promises';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { leaveServiceCore } from './cores.ts';
import { writeHowFast } from './how-fast.ts';
import { tableOf, withGrowth } from './report.ts';
import type { BenchResult } from './result.ts';

/*
 * npm run bench -- [NAME…]: measures the named cases, or all, one after the other; prints their figures and writes
 * them to bench/results/NAME.json, or where INDEXDESK_BENCH_RESULTS says. What the figures mean stands in
 * bench/README.md.
 *
 * npm run bench -- readme: writes the table of docs/how-fast.md and its picture from the stored results.
 */

interface Case {
  readonly load: () => Promise<{ run: () => Promise<BenchResult> }>;
  /** whether it measures the service on a core of its own; a browser needs both */
  readonly pinned: boolean;
  /** whether it is measured only where it is named: it takes an hour */
  readonly onlyNamed?: boolean;
}

const CASES: Readonly<Record<string, Case>> = {
  saves: { load: () => import('./cases/saves.ts'), pinned: true },
  postgres: { load: () => import('./cases/postgres.ts'), pinned: true },
  'lists-postgres': { load: () => import('./cases/lists-postgres.ts'), pinned: true },
  'add-field': { load: () => import('./cases/add-field.ts'), pinned: false },
  'change-definition': { load: () => import('./cases/change-definition.ts'), pinned: false },
  checks: { load: () => import('./cases/checks.ts'), pinned: true },
  'checks-postgres': { load: () => import('./cases/checks-postgres.ts'), pinned: true },
  'load-large': { load: () => import('./cases/load-large.ts'), pinned: false, onlyNamed: true },
  lists: { load: () => import('./cases/lists.ts'), pinned: true },
  batches: { load: () => import('./cases/batches.ts'), pinned: true },
  'batches-postgres': { load: () => import('./cases/batches-postgres.ts'), pinned: false },
  calls: { load: () => import('./cases/calls.ts'), pinned: true },
  uploads: { load: () => import('./cases/uploads.ts'), pinned: true },
  together: { load: () => import('./cases/together.ts'), pinned: true },
  verify: { load: () => import('./cases/verify.ts'), pinned: false },
  starts: { load: () => import('./cases/starts.ts'), pinned: true },
  queue: { load: () => import('./cases/queue.ts'), pinned: false },
  documents: { load: () => import('./cases/documents.ts'), pinned: false },
  'bulk-edits': { load: () => import('./cases/bulk-edits.ts'), pinned: false },
  grid: { load: () => import('./cases/grid.ts'), pinned: false },
  paste: { load: () => import('./cases/paste.ts'), pinned: false },
  'first-load': { load: () => import('./cases/first-load.ts'), pinned: false },
};

const results = process.env['INDEXDESK_BENCH_RESULTS'] ?? join(import.meta.dirname, 'results');
const asked = process.argv.slice(2);
if (asked.length === 1 && asked[0] === 'readme') {
  await writeHowFast(results);
  process.exit();
}
const unknown = asked.filter((name) => !Object.hasOwn(CASES, name));
if (unknown.length > 0) {
  console.error(
    `There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(CASES).join(', ')}.`,
  );
  process.exit(2);
}
await mkdir(results, { recursive: true });
for (const [name, { load, pinned, onlyNamed = false }] of Object.entries(CASES)) {
  if (asked.length > 0 ? !asked.includes(name) : onlyNamed) continue;
  const before = loadavg()[0] ?? 0;
  const { run } = await load();
  const release = pinned ? leaveServiceCore() : undefined;
  const measured = await run();
  release?.();
  const rows = withGrowth(measured.rows ?? []);
  console.log(`\n${name} (load before: ${before.toFixed(1)})`);
  if (Object.keys(measured.figures).length > 0) console.table(measured.figures);
  if (rows.length > 0) console.log(tableOf(rows));
  const machine = `${cpus()[0]?.model.trim() ?? 'unknown'}, ${cpus().length} cores`;
  const kept = { at: new Date().toISOString(), machine, load: before, ...measured, rows };
  await writeFile(join(results, `${name}.json`), `${JSON.stringify(kept, null, 2)}\n`);
}
