import { mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import type { BenchResult } from './result.ts';

/*
 * npm run bench -- [NAME…]: measures the named cases, or all, one after the other; prints their figures and writes
 * them to bench/results/NAME.json. Nothing is judged: what a figure should be stands in bench/README.md.
 */

const CASES: Readonly<Record<string, () => Promise<{ run: () => Promise<BenchResult> }>>> = {
  queue: () => import('./cases/queue.ts'),
  'bulk-edits': () => import('./cases/bulk-edits.ts'),
  grid: () => import('./cases/grid.ts'),
  paste: () => import('./cases/paste.ts'),
};

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(CASES, name));
if (unknown.length > 0) {
  console.error(
    `There is no benchmark ${unknown.join(', ')}. There are: ${Object.keys(CASES).join(', ')}.`,
  );
  process.exit(2);
}
const results = join(import.meta.dirname, 'results');
await mkdir(results, { recursive: true });
for (const [name, load] of Object.entries(CASES)) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  const before = loadavg()[0] ?? 0;
  const { run } = await load();
  const { figures } = await run();
  console.log(`\n${name} (load before: ${before.toFixed(1)})`);
  console.table(figures);
  const machine = `${cpus()[0]?.model.trim() ?? 'unknown'}, ${availableParallelism()} cores`;
  const kept = { name, at: new Date().toISOString(), machine, load: before, figures };
  await writeFile(join(results, `${name}.json`), `${JSON.stringify(kept, null, 2)}\n`);
}
