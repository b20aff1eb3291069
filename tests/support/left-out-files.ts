import { globSync, readFileSync } from 'node:fs';

/** The variable with the tags whose tests a run leaves out, separated by blanks (run-all.ts). */
export const LEFT_OUT_TAGS = 'INDEXDESK_TEST_LEFT_OUT_TAGS';

/**
 * The test files whose first comment has one of these tags. Vitest would load them, start the services of their tests, and
 * then skip all of them.
 */
export function leftOutFiles(): string[] {
  const tags = process.env[LEFT_OUT_TAGS]?.split(' ') ?? [];
  if (tags.length === 0) return [];
  return globSync('tests/{server,shared,web}/**/*.test.{ts,tsx}').filter((file) => {
    const [tag = ''] = /(?<=^\/\*\* @module-tag )\w+/.exec(readFileSync(file, 'utf8')) ?? [];
    return tags.includes(tag);
  });
}
