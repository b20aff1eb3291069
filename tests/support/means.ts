/**
 * Whether what a test needs is missing here, for `skipIf`.
 * @param obstacle why the test cannot run; null: it can
 * @throws {Error} in continuous integration, where a test that cannot run is a failure
 */
export function isMissing(obstacle: string | null): boolean {
  if (obstacle === null) return false;
  if (process.env['CI'] !== undefined) throw new Error(`A test cannot run: ${obstacle}`);
  console.error(`Tests are skipped: ${obstacle}`);
  return true;
}
