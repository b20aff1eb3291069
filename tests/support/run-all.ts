/*
 * Runs tests and repeats at the end what failed and what was skipped, with reason and remedy. The last line sums up
 * all tests as `N passed, N failed`; the exit code is 0 where none failed. The argument says which tests:
 * - none, `npm test`: those of modules, service, web admin and browser without those with the tag `long`, whatever fails
 *   before
 * - quick, `npm run test:quick`: those of modules, service on SQLite and web admin, without those that take seconds
 * - torture, `npm run torture`: all tests, also what needs minutes, root or programs that are not packages; with more
 *   repetitions, and those of the service on both databases
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type * as z from 'zod';
import { obstacleToChromium } from './chromium.ts';
import { keepCompiledSources } from './compiled-sources.ts';
import { LEFT_OUT_TAGS } from './left-out-files.ts';
import { isMissing, SKIPPED_FILE } from './skipping.ts';
import { playwrightReport, addCounts, vitestReport, type Counts } from './reports.ts';

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
    return { passed: 0, failed: 1, failures: [`The report ${report} cannot be read.`] };
  }
  if (good || counts.failed > 0) return counts;
  const failure = 'A run failed though none of its tests did: see above.';
  return { ...counts, failed: 1, failures: [...counts.failures, failure] };
}

/** Runs the tests of Vitest without those that have one of these tags. */
async function runVitestWithout(...tags: readonly string[]): Promise<Counts> {
  const filter = tags.map((tag) => `!${tag}`).join(' && ');
  process.env[LEFT_OUT_TAGS] = tags.join(' ');
  return runVitest('--project', '!torture', '--tags-filter', filter);
}

async function runVitest(...args: readonly string[]): Promise<Counts> {
  const report = join(reports, 'vitest.json');
  const reporting = [
    '--reporter=default',
    `--reporter=${fileURLToPath(import.meta.resolve('./failures-at-once.ts'))}`,
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
  const good = await succeeds('vitest', ['run', ...args, ...reporting]);
  return countsOf(report, vitestReport, good);
}

async function runPlaywright(...args: readonly string[]): Promise<Counts> {
  if (isMissing(obstacleToChromium())) {
    return { passed: 0, failed: 0, failures: [] };
  }
  const report = join(reports, 'playwright.json');
  const good = await succeeds('playwright', ['test', '--reporter=list,json', ...args], {
    PLAYWRIGHT_JSON_OUTPUT_NAME: report,
  });
  return countsOf(report, playwrightReport, good);
}

async function run(which: string | undefined): Promise<Counts> {
  switch (which) {
    case undefined:
      return addCounts(
        await runVitestWithout('long'),
        await runPlaywright('--grep-invert', '@long'),
      );
    case 'quick':
      return runVitestWithout('slow', 'long', 'postgres');
    case 'torture':
      process.env['INDEXDESK_TEST_EFFORT'] ??= '10';
      return addCounts(await runVitest(), await runPlaywright());
    default:
      throw new Error(`There are no tests ${which}: quick, torture, or none for all.`);
  }
}

const reports = await mkdtemp(join(tmpdir(), 'indexdesk-reports-'));
const skippedFile = join(reports, 'skipped');
await writeFile(skippedFile, '');
process.env[SKIPPED_FILE] = skippedFile;
keepCompiledSources();
let counts: Counts;
try {
  counts = await run(process.argv[2]);
  const skipped = (await readFile(skippedFile, 'utf8')).split('\n').filter(Boolean);
  for (const reason of new Set(skipped)) console.log(`\nSKIPPED ${reason}`);
} finally {
  await rm(reports, { recursive: true, force: true });
}
for (const failure of counts.failures) console.log(`\nFAILED ${failure}`);
// No test at all is no success either.
process.exitCode = counts.failed === 0 && counts.passed > 0 ? 0 : 1;
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
