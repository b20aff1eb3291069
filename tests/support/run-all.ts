/*
 * `npm test`: everything, one after the other, whatever fails before. What failed is told once more
 * at the end; the last line sums up all tests as `N passed, N failed`; the exit code is 0 where none failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as z from 'zod';
import { ensureChromium } from './chromium.ts';
import { playwrightReport, sum, vitestReport, type Counts } from './reports.ts';

/** Runs a program of the project to its end. @returns whether it succeeded */
async function succeeds(
  program: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<boolean> {
  console.error(`\n> ${program} ${args.join(' ')}`);
  const startedAt = performance.now();
  // npm puts the project's programs on the path.
  const child = spawn(program, args, {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
    shell: process.platform === 'win32',
  });
  try {
    await once(child, 'exit');
  } catch (error) {
    console.error(error);
  }
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.error(`${program} took ${seconds} s.`);
  return child.exitCode === 0;
}

/** What a report counts; a run that fails without a failed test, or reports nothing, is one. */
async function countsOf(report: string, schema: z.ZodType<Counts>, good: boolean): Promise<Counts> {
  let counts: Counts;
  try {
    counts = schema.parse(JSON.parse(await readFile(report, 'utf8')));
  } catch (error) {
    console.error(`The report ${report} cannot be read.`, error);
    return {
      passed: 0,
      failed: 1,
      failures: [`The report ${report} cannot be read.`],
      unsteady: [],
    };
  }
  if (good || counts.failed > 0) return counts;
  const failure = 'A run failed though none of its tests did: see above.';
  return { ...counts, failed: 1, failures: [...counts.failures, failure] };
}

/** Finds or installs it before anything else, so that its absence is told at once. */
function hasChromium(): boolean {
  try {
    ensureChromium();
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  }
}

async function runAll(reports: string): Promise<Counts> {
  const browserIsThere = hasChromium();
  const ofVitest = join(reports, 'vitest.json');
  const unitsGood = await succeeds('vitest', [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${ofVitest}`,
  ]);
  const units = await countsOf(ofVitest, vitestReport, unitsGood);

  const built = await succeeds('vite', ['build', '--logLevel', 'warn']);
  if (!built || !browserIsThere) {
    const failure = built ? 'There is no Chromium.' : 'The web admin was not built.';
    return sum(units, { passed: 0, failed: 1, failures: [failure], unsteady: [] });
  }
  const ofPlaywright = join(reports, 'playwright.json');
  const browserGood = await succeeds('playwright', ['test', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: ofPlaywright,
  });
  const browser = await countsOf(ofPlaywright, playwrightReport, browserGood);
  return sum(units, browser);
}

const reports = await mkdtemp(join(tmpdir(), 'indexdesk-reports-'));
// Hundreds of processes are started that load the same files.
process.env['NODE_COMPILE_CACHE'] ??= join(reports, 'compiled');
const counts = await runAll(reports).finally(() => rm(reports, { recursive: true, force: true }));
for (const test of counts.unsteady) console.log(`\nPASSED ONLY WHEN TRIED AGAIN ${test}`);
for (const failure of counts.failures) console.log(`\nFAILED ${failure}`);
// No test at all is no success either.
process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
