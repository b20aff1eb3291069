import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installDebianPackage, isExecutable } from '#tests/support/debian-package.ts';

const PGBENCH = '/usr/bin/pgbench';

/** Floor (d). @returns why there is none, or null; installs Debian's where this may be done */
export function obstacleToPgbench(): string | null {
  try {
    if (!isExecutable(PGBENCH)) installDebianPackage('postgresql-contrib');
  } catch (error) {
    return String(error);
  }
  return isExecutable(PGBENCH)
    ? null
    : 'pgbench is missing. Debian, Ubuntu: sudo apt-get install postgresql-contrib';
}

/**
 * Has connections repeat a statement, each in a transaction of its own.
 * @param statement with `:id`, one of the ids 1 to `ids`, and `:n`
 * @param seconds whole ones
 * @returns transactions a second
 */
export async function runPgbench(
  databaseUrl: string,
  statement: string,
  { connections, seconds, ids }: { connections: number; seconds: number; ids: number },
): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'indexdesk-pgbench-'));
  try {
    const script = join(folder, 'script.sql');
    await writeFile(
      script,
      `\\set id random(1, ${ids})\n\\set n random(1, 1000000000)\n${statement};\n`,
    );
    const { stdout } = await promisify(execFile)(PGBENCH, [
      '--no-vacuum',
      `--file=${script}`,
      `--client=${connections}`,
      '--jobs=1',
      `--time=${Math.max(1, Math.round(seconds))}`,
      databaseUrl,
    ]);
    const found = /^tps = ([\d.]+)/m.exec(stdout)?.[1];
    if (found === undefined) throw new Error(`pgbench said: ${stdout}`);
    return Number(found);
  } finally {
    await rm(folder, { recursive: true });
  }
}
