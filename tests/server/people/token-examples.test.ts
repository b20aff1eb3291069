/** @module-tag slow */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { BASE, buildUser, openApp, PASSWORD } from '#tests/support/app.ts';
import { buildTable, rightOn } from '#tests/support/builders.ts';
import { describeOnOneDatabase } from '#tests/support/databases.ts';
import { installDebianPackage } from '#tests/support/debian-package.ts';
import { isMissing } from '#tests/support/skipping.ts';

const run = promisify(execFile);
const GUIDE = new URL('../../../docs/guides/integrators.md', import.meta.url);
const directory = mkdtempSync(join(tmpdir(), 'indexdesk-examples-'));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** The example of a language in the part about tokens, as a file. */
function exampleOf(language: string): string {
  const [, part = ''] = /^## Tokens$(.*?)^## /ms.exec(readFileSync(GUIDE, 'utf8')) ?? [];
  const [, code] = new RegExp(`^\`\`\`${language}$(.*?)^\`\`\`$`, 'ms').exec(part) ?? [];
  if (code === undefined) throw new Error(`The guide has no example in ${language}.`);
  const path = join(directory, `example.${language === 'ts' ? 'mts' : language}`);
  writeFileSync(path, code.trimStart());
  return path;
}

function obstacleToPhp(): string | null {
  const isThere = () => {
    try {
      execFileSync('php', ['--version'], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  if (isThere()) return null;
  installDebianPackage('php-cli');
  return isThere() ? null : 'php is missing. Debian, Ubuntu: sudo apt-get install php-cli';
}

describeOnOneDatabase('the examples of tokens in the guide for integrators', (open) => {
  let env: NodeJS.ProcessEnv;
  let guid: string;

  beforeAll(async () => {
    const t = await openApp(open);
    const table = await buildTable(t.database, [{ name: 'NAME' }]);
    ({ guid } = table);
    await buildUser(t.database, { username: 'nightly', rights: [rightOn(table, 'read')] });
    const address = await t.app.listen({ host: '127.0.0.1', port: 0 });
    const API = `${address}${BASE}application`;
    env = { ...process.env, API, INDEXDESK_USER: 'nightly', INDEXDESK_PASSWORD: PASSWORD };
  });

  const tablesBy = async (command: string, path: string): Promise<unknown> => {
    const { stdout } = await run(command, [path], { env });
    return JSON.parse(stdout);
  };
  const found = () => ({ tables: [{ guid, rights: 'read' }] });

  it('work with curl', async () => {
    expect(await tablesBy('bash', exampleOf('sh'))).toMatchObject(found());
  });

  it('work in TypeScript', async () => {
    expect(await tablesBy(process.execPath, exampleOf('ts'))).toMatchObject(found());
  });

  it('work in Python', { tags: ['long'] }, async () => {
    expect(await tablesBy('python3', exampleOf('python'))).toMatchObject(found());
  });

  it.skipIf(isMissing(obstacleToPhp()))('work in PHP', { tags: ['long'] }, async () => {
    expect(await tablesBy('php', exampleOf('php'))).toMatchObject(found());
  });
});
