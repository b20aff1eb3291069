import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HELP } from '#server/cli/help.ts';
import { SERVE_OPTIONS } from '#server/config.ts';
import { definitionFileJsonSchema } from '#server/modules/definition-files/definition-schema.ts';
import { definitionFileSchema } from '#shared/contract/definition-file.ts';
import { parseJson } from '#shared/values/json.ts';
import { TATE_DEFINITION } from '#tests/support/tate.ts';
import { describeResults } from '../../../bench/how-fast.ts';

const PROJECT = resolve(import.meta.dirname, '..', '..', '..');
const read = (path: string) => readFile(resolve(PROJECT, path), 'utf8');

describe('the documentation', () => {
  const settingsIn = (page: string) =>
    [...page.matchAll(/^\|[^|]*\| `(INDEXDESK_\w+)` \|/gm)].map(([, name = '']) => name);

  test('lists every setting', async () => {
    const listed = settingsIn(await read('docs/guides/configuration.md'));
    expect(listed.toSorted()).toEqual(SERVE_OPTIONS.map(({ variable }) => variable).toSorted());
  });

  test('begins with settings that are there', async () => {
    const listed = settingsIn(await read('README.md'));
    expect(listed).toContain('INDEXDESK_PORT');
    expect(SERVE_OPTIONS.map(({ variable }) => variable)).toEqual(expect.arrayContaining(listed));
  });

  test('has every page in its index', async () => {
    const index = await read('docs/README.md');
    for (const folder of ['decisions', 'guides', 'interface']) {
      const pages = await readdir(resolve(PROJECT, 'docs', folder));
      expect(pages.filter((page) => !index.includes(`](${folder}/${page})`))).toEqual([]);
    }
    const others = (await readdir(resolve(PROJECT, 'docs'))).filter((page) => page.endsWith('.md'));
    expect(others.filter((page) => page !== 'README.md' && !index.includes(`](${page})`))).toEqual(
      [],
    );
  });

  test('numbers its decisions from 1, without gaps', async () => {
    const pages = await readdir(resolve(PROJECT, 'docs/decisions'));
    expect(pages.map((page) => Number(page.slice(0, 4))).sort((a, b) => a - b)).toEqual(
      pages.map((_, i) => i + 1),
    );
  });

  test('has context, decision, consequences and figures of each decision', async () => {
    for (const page of await readdir(resolve(PROJECT, 'docs/decisions'))) {
      const text = await read(`docs/decisions/${page}`);
      const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
      expect([page, headings]).toEqual([page, ['Context', 'Decision', 'Consequences', 'Figures']]);
      expect(text).toMatch(/^# .+\n2026-\d\d-\d\d.* · Status: (?:accepted|superseded by)/);
    }
  });

  test('has the JSON Schema of definition files as the loader reads them', async () => {
    const schema: unknown = JSON.parse(await read('docs/interface/definition-file.schema.json'));
    expect(schema, 'Run `npm run schema`.').toEqual(definitionFileJsonSchema());
  });

  test('describes every option of the service in its help', () => {
    const listed = new Set(HELP.serve.match(/--[a-z0-9-]+|INDEXDESK_[A-Z0-9_]+/g));
    const missing = SERVE_OPTIONS.filter(
      ({ flag, variable }) => !listed.has(`--${flag}`) && !listed.has(variable),
    );
    expect(missing).toEqual([]);
    expect(SERVE_OPTIONS.filter(({ description }) => description === '')).toEqual([]);
  });

  test('describes every key of definition files', async () => {
    const guide = await read('docs/guides/definition-files.md');
    const keys = new Set<string>();
    // Reviving passes over every object of the schema.
    JSON.parse(await read('docs/interface/definition-file.schema.json'), (name, value) => {
      if (name === 'properties') for (const key of Object.keys(value)) keys.add(key);
      return value;
    });
    expect(keys).toContain('optionsFrom');
    expect(
      [...keys].filter((key) => !guide.includes(`\`${key}\``) && !guide.includes(`"${key}"`)),
    ).toEqual([]);
  });

  test('has the figures of the stored measurements', async () => {
    const { summary, table } = await describeResults(resolve(PROJECT, 'bench/results'));
    const [readme, page] = await Promise.all([read('README.md'), read('docs/how-fast.md')]);
    expect(readme, 'Run `npm run bench -- readme`.').toContain(`\n${summary}\n`);
    expect(page, 'Run `npm run bench -- readme`.').toContain([summary, '', ...table].join('\n'));
  });

  test('begins with the command that starts it', async () => {
    const [, first] = /^```sh\n(.*?)\n```$/ms.exec(await read('README.md')) ?? [];
    expect(first).toBe('npm ci && npm start');
  });

  test('loads the real archive with the definition file that the tests load', async () => {
    const [, file = ''] =
      /^npm run -s indexdesk -- load (\S+) && npm start$/m.exec(await read('README.md')) ?? [];
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
