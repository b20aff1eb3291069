import { appendFileSync } from 'node:fs';

/** The file to which a run of all tests has its skipped tests noted, a line each. */
export const SKIPPED_FILE = 'INDEXDESK_TEST_SKIPPED_FILE';

/**
 * Whether what tests need is missing here, for `skipIf`. The reason is repeated in the last lines of the run.
 * @param obstacle why the tests cannot run and what to do about it; null: they can
 * @throws {Error} where INDEXDESK_TEST_STRICT makes a test that cannot run a failure
 */
export function isMissing(obstacle: string | null): boolean {
  if (obstacle === null) return false;
  if (process.env['INDEXDESK_TEST_STRICT'] === '1') {
    throw new Error(`A test cannot run: ${obstacle}`);
  }
  const file = process.env[SKIPPED_FILE];
  if (file === undefined) console.error(`Tests are skipped: ${obstacle}`);
  else appendFileSync(file, `${obstacle}\n`);
  return true;
}
