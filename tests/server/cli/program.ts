import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { DatabaseConfig } from '#server/database/open-database.ts';

export const PROJECT = fileURLToPath(new URL('../../..', import.meta.url));

/** Runs a command in a process of its own. */
export async function run(
  args: readonly string[],
  environment: Record<string, string> = {},
  node: string[] = [],
) {
  const bin = join(PROJECT, 'bin', 'indexdesk.js');
  const child = spawn(process.execPath, [...node, bin, ...args], {
    cwd: PROJECT,
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, err] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const [code] = await once(child, 'close');
  return { code: Number(code), out, err };
}

/** The arguments that name a database. */
export function placeOf({ dataDir, databaseUrl }: DatabaseConfig): string[] {
  return ['--data', dataDir, ...(databaseUrl === undefined ? [] : ['--database-url', databaseUrl])];
}

/** Signs in as a browser does. */
export async function signIn(url: string, username: string, password: string) {
  const response = await fetch(`${url}/api/rest/v2/application/sessions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return { status: response.status, cookie };
}
