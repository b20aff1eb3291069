import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';

const BUILT = resolve(import.meta.dirname, '../../dist/web');
/** Of the headers of each file, in bytes. */
const HEADERS = 330;

/**
 * Kilobytes of scripts and styles with gzip that each page begins with. Page, data and pictures come on top of these
 * (4 to 15). Who has to raise one has put something on a page that could have come later (src/web/ui/lazy-component.tsx).
 */
const MOST = { 'sign-in': 120, '': 175, archives: 230, tables: 260, queue: 275 };

/** The scripts and styles that a page begins with. Read by the tests, as the tests are listed without a build too. */
function filesOf(page: string): { readonly pages: readonly string[]; readonly files: Set<string> } {
  const html = readFileSync(join(BUILT, 'index.html'), 'utf8');
  const named = new Map(
    (/name="indexdesk-files" content="([^"]*)"/.exec(html)?.[1] ?? '').split(';').map((line) => {
      const [name = '', files = ''] = line.split('=');
      return [name, files.split(',')];
    }),
  );
  const first = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, file = '']) => file,
  );
  const pages = page === 'sign-in' ? [page] : ['frame', page];
  return { pages, files: new Set([...first, ...pages.flatMap((one) => named.get(one) ?? [])]) };
}

for (const [page, most] of Object.entries(MOST)) {
  test(`the page of "/${page}" begins with at most ${most} KB of scripts and styles`, () => {
    const { pages, files } = filesOf(page);
    expect(files.size).toBeGreaterThan(pages.length);
    const bytes = [...files].map(
      (file) => readFileSync(join(BUILT, `${file}.gz`)).length + HEADERS,
    );
    const kilobytes = bytes.reduce((sum, one) => sum + one, 0) / 1024;
    expect(kilobytes).toBeLessThanOrEqual(most);
  });
}

test('a start from the sources that are built builds nothing and says nothing', async () => {
  const builtAt = () => statSync(join(BUILT, 'index.html')).mtimeMs;
  const before = builtAt();
  const script = resolve(import.meta.dirname, '../../scripts/build-web-admin.ts');
  expect(await promisify(execFile)(process.execPath, [script])).toEqual({ stdout: '', stderr: '' });
  expect(builtAt()).toBe(before);
});
