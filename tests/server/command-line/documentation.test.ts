import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HELP } from '#server/command-line/help.ts';
import { OPTION_NAMES, variableOf } from '#server/config.ts';
import { definitionFileSchema } from '#shared/definition-file.ts';
import { parseJson } from '#shared/json.ts';
import { TATE_DEFINITION } from '#tests/support/tate.ts';

const PROJECT = resolve(import.meta.dirname, '..', '..', '..');
const read = (path: string) => readFile(resolve(PROJECT, path), 'utf8');

describe('the documentation', () => {
  test('lists every setting', async () => {
    const readme = await read('README.md');
    const listed = [...readme.matchAll(/^\|[^|]*\| `(INDEXDESK_\w+)` \|/gm)].map(
      ([, name]) => name,
    );
    expect(
      listed
        .filter((name) => !name?.startsWith('INDEXDESK_TEST_'))
        .toSorted((a = '', b = '') => a.localeCompare(b)),
    ).toEqual(OPTION_NAMES.map(variableOf).toSorted((a, b) => a.localeCompare(b)));
  });

  test('tells every option of the service in its help', () => {
    const told = new Set(HELP.serve.match(/--[a-z0-9-]+|INDEXDESK_[A-Z0-9_]+/g));
    expect(
      OPTION_NAMES.filter((name) => !told.has(`--${name}`) && !told.has(variableOf(name))),
    ).toEqual([]);
  });

  test('begins with the command that starts it', async () => {
    const [, first] = /^```sh\n(.*?)\n```$/ms.exec(await read('README.md')) ?? [];
    expect(first).toBe('npm ci && npm start');
  });

  test('loads the real archive with the definition file that the tests load', async () => {
    const [, file = ''] =
      /^npm run -s indexdesk -- load (\S+)$/m.exec(await read('README.md')) ?? [];
    expect(resolve(PROJECT, file)).toBe(TATE_DEFINITION);
  });

  test('shows a definition file that is one', async () => {
    const guide = await read('docs/guides/administrators.md');
    const [, example = ''] = /^```json\n(.*?)\n```$/ms.exec(guide) ?? [];
    expect(definitionFileSchema.parse(parseJson(example)).archives).toHaveLength(1);
  });

  test('has a row with the licence of each dependency, and no other', async () => {
    const {
      dependencies,
      devDependencies,
    }: Record<string, Record<string, string>> = JSON.parse(await read('package.json'));
    const expected: Record<string, string> = {};
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      const { license } = JSON.parse(await read(`node_modules/${name}/package.json`));
      expected[name] = license.replace(/^\((.*)\)$/, '$1');
    }
    const page = await read('docs/dependencies.md');
    const rows = page.matchAll(/^\| ([^|]+) \| ([^|]+) \| (?:< )?[\d.]+ \| \d{4}-\d\d-\d\d \| /gm);
    expect(Object.fromEntries([...rows].map(([, name, licence]) => [name, licence]))).toEqual(
      expected,
    );
  });

  test('has an entry in the changelog for the version of the package', async () => {
    const { version }: { version: string } = JSON.parse(await read('package.json'));
    expect(await read('CHANGELOG.md')).toMatch(
      new RegExp(`^## \\[${version}\\] - \\d{4}-\\d\\d-\\d\\d$`, 'm'),
    );
  });
});
