import { relative, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod';

/** What a run of tests came to. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** each failed test and what it said, once more for the end of the output */
  readonly failures: readonly string[];
}

/** The JSON report of vitest. Files that could not be loaded count as one failed test each: vitest counts only the tests in files. */
export const vitestReport = z
  .object({
    numPassedTests: z.int(),
    numFailedTests: z.int(),
    testResults: z.array(
      z.object({
        name: z.string(),
        status: z.string(),
        message: z.string(),
        assertionResults: z.array(
          z.object({
            fullName: z.string(),
            status: z.string(),
            failureMessages: z.array(z.string()).nullish(),
          }),
        ),
      }),
    ),
  })
  .transform(({ numPassedTests, numFailedTests, testResults }): Counts => {
    const broken = testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    );
    const failures = testResults.flatMap(({ name, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName, failureMessages }) => failureText(name, fullName, failureMessages ?? [])),
    );
    return {
      passed: numPassedTests,
      failed: numFailedTests + broken.length,
      failures: [
        ...broken.map(({ name, message }) => failureText(name, '', [message])),
        ...failures,
      ],
    };
  });

const playwrightSuite = z.object({
  specs: z
    .array(
      z.object({
        file: z.string(),
        title: z.string(),
        tests: z.array(
          z.object({
            status: z.string(),
            results: z.array(
              z.object({ errors: z.array(z.object({ message: z.string().optional() })) }),
            ),
          }),
        ),
      }),
    )
    .default([]),
  get suites() {
    return z.array(playwrightSuite).default([]);
  },
});
type PlaywrightSuite = z.infer<typeof playwrightSuite>;

function failuresOf({ specs, suites }: PlaywrightSuite): string[] {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ results }) => {
        const errors = results.flatMap((result) => result.errors);
        return failureText(
          file,
          title,
          errors.map(({ message }) => message ?? ''),
        );
      }),
  );
  return [...own, ...suites.flatMap(failuresOf)];
}

/** The JSON report of Playwright. */
export const playwrightReport = z
  .object({
    stats: z.object({ expected: z.int(), unexpected: z.int() }),
    suites: z.array(playwrightSuite),
    errors: z.array(z.object({ message: z.string().optional() })),
  })
  .transform(({ stats, suites, errors }): Counts => ({
    passed: stats.expected,
    failed: stats.unexpected,
    failures: [
      ...errors.map(({ message }) => failureText('playwright', '', [message ?? ''])),
      ...suites.flatMap(failuresOf),
    ],
  }));

/** How many lines of a message are repeated: a page that was not as expected has thousands. */
const MESSAGE_LINES = 15;

function failureText(file: string, test: string, messages: readonly string[]): string {
  const lines = messages.flatMap((message) =>
    stripVTControlCharacters(message).split('\n').slice(0, MESSAGE_LINES),
  );
  const name = [relative(process.cwd(), resolve(file)), test].filter((part) => part !== '');
  return [name.join(' › '), ...lines.map((line) => `    ${line}`)].join('\n');
}

/** Of two runs together. */
export function addCounts(one: Counts, other: Counts): Counts {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    failures: [...one.failures, ...other.failures],
  };
}
