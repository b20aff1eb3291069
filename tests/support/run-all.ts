/*
 * `npm test`: everything, one after the other, whatever fails before. The last line sums up all tests as
 * `N passed, N failed`; the exit code is 0 where none failed.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { ensureChromium } from './chromium.ts';

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** Files that could not be loaded count as one failed test each: vitest counts only the tests in files. */
const vitestReport = z
  .object({
    numPassedTests: z.int(),
    numFailedTests: z.int(),
    testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
  })
  .transform(({ numPassedTests, numFailedTests, testResults }): Counts => {
    const broken = testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    );
    return { passed: numPassedTests, failed: numFailedTests + broken.length };
  });

/** `flaky` are those that passed only when tried again. */
const playwrightReport = z
  .object({
    stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int() }),
  })
  .transform(({ stats }): Counts => ({
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky,
  }));

const NOTHING: Counts = { passed: 0, failed: 0 };

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
  let counts = NOTHING;
  try {
    counts = schema.parse(JSON.parse(await readFile(report, 'utf8')));
  } catch (error) {
    console.error(`The report ${report} cannot be read.`, error);
    return { passed: 0, failed: 1 };
  }
  return good || counts.failed > 0 ? counts : { ...counts, failed: 1 };
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
    return { passed: units.passed, failed: units.failed + 1 };
  }
  const ofPlaywright = join(reports, 'playwright.json');
  const browserGood = await succeeds('playwright', ['test', '--reporter=list,json'], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: ofPlaywright,
  });
  const browser = await countsOf(ofPlaywright, playwrightReport, browserGood);
  return { passed: units.passed + browser.passed, failed: units.failed + browser.failed };
}

const reports = await mkdtemp(join(tmpdir(), 'indexdesk-reports-'));
const counts = await runAll(reports).finally(() => rm(reports, { recursive: true, force: true }));
// No test at all is no success either.
process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
