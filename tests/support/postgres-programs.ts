import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { chmod, chown, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/* PostgreSQL's programs, run by an unprivileged user where the tests run as root. */

export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root: the user `nobody` runs it then. @returns undefined: the user of the tests does */
export async function userInsteadOfRoot(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  for (const line of (await readFile('/etc/passwd', 'utf8')).split('\n')) {
    const [name, , uid, gid] = line.split(':');
    if (name === 'nobody') return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error('PostgreSQL does not run as root, and there is no user `nobody` to run it.');
}

/**
 * The programs where that user can read them: the checkout may be in a directory that is closed to others.
 * @param directory where a copy is made if one is needed
 * @returns the folder of the executable files
 */
export async function readablePrograms(
  programs: string,
  directory: string,
  user: User | undefined,
): Promise<string> {
  if (!user) return join(programs, 'bin');
  const copy = join(directory, 'programs');
  // Takes a quarter of the time of `cp`.
  cpSync(programs, copy, { recursive: true, verbatimSymlinks: true });
  for (const entry of await readdir(copy, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
  await chmod(copy, 0o755);
  return join(copy, 'bin');
}

/** Makes a user the owner of a directory and of all that is in it; undefined: the owner stays. */
export async function ownAll(directory: string, user: User | undefined): Promise<void> {
  if (!user) return;
  await chown(directory, user.uid, user.gid);
  for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink())
      await chown(join(entry.parentPath, entry.name), user.uid, user.gid);
  }
}

/**
 * Starts a program.
 * @param isDetached whether signals to the group of the parent, such as that of Ctrl+C, do not reach it
 * @returns `output` is the end of what it has written
 */
export function startProgram(
  file: string,
  parameters: readonly string[],
  user: User | undefined,
  { isDetached }: { readonly isDetached: boolean },
) {
  const child = spawn(file, parameters, {
    ...user,
    cwd: '/',
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: isDetached,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-4000);
    });
  }
  return { child, output: () => output };
}

/** Waits for the end of a program. @returns its exit code, or the signal that ended it */
export async function ended(child: ChildProcess): Promise<string> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  return String(child.exitCode ?? child.signalCode);
}
