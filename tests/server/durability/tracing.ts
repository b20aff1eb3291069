import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { installDebianPackage, isExecutable } from '#tests/support/debian-package.ts';
import { WAIT_LIMIT } from '#tests/support/effort.ts';
import { eventually } from '#tests/support/service-client.ts';

const STRACE = '/usr/bin/strace';

/** The system calls that say what is written where, and what is on the disk. */
const CALLS =
  'fsync,fdatasync,write,writev,pwrite64,pwritev,sendto,sendmsg,' +
  'rename,renameat,renameat2,link,linkat,mkdir,mkdirat';

/** Bytes of each text that are noted: a page of the database, and an answer's headers and first values. */
const NOTED_BYTES = 6_000;

/** Why system calls cannot be watched here; null where they can. Installs strace where that may be done. */
export function obstacleToTracing(): string | null {
  if (process.platform !== 'linux') return 'System calls are watched on Linux alone.';
  if (!isExecutable(STRACE)) installDebianPackage('strace');
  if (!isExecutable(STRACE))
    return 'strace is missing. Debian, Ubuntu: sudo apt-get install strace';
  try {
    execFileSync(STRACE, [...tracedInto('/dev/null').slice(1), '/bin/true']);
    return null;
  } catch (error) {
    return `strace may not trace here: ${String(error)}`;
  }
}

/** What stands before a command so that its system calls are noted in a file; its process id stays its own. */
export function tracedInto(log: string): string[] {
  const options = ['-D', '-f', '--seccomp-bpf', '-yy', '-s', String(NOTED_BYTES), '-o', log];
  return [STRACE, ...options, '-e', `trace=${CALLS}`, '-e', 'signal=none'];
}

/** A system call as strace has seen it. */
export interface SystemCall {
  readonly name: string;
  /** what stands in its brackets */
  readonly args: string;
  /** places in the order of all that was seen; a call that never returned ends at infinity */
  readonly begin: number;
  readonly end: number;
  /** a negative number is an error */
  readonly result: number;
}

/**
 * Reads what strace has noted of a process, waiting for the note of its end.
 * @param pid the process that was traced
 */
export async function readTrace(log: string, pid: number): Promise<SystemCall[]> {
  let text = '';
  const ended = new RegExp(`^${pid} +\\+\\+\\+ (?:exited|killed)`, 'm');
  const whole = await eventually(async () => {
    text = await readFile(log, 'utf8');
    return ended.test(text);
  }, WAIT_LIMIT);
  if (!whole) throw new Error(`strace has not noted the end of process ${pid}.`);
  return parseTrace(text);
}

/** @param text what `strace -f` writes: one line per call, or two where others came between */
export function parseTrace(text: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const begun = new Map<string, Pick<SystemCall, 'name' | 'args' | 'begin'>>();
  for (const [place, line] of text.split('\n').entries()) {
    const [, pid = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const resumed = /^<\.\.\. (\w+) resumed>.*\) += (-?\d+)/.exec(rest);
    if (resumed) {
      const call = begun.get(pid);
      if (!call || call.name !== resumed[1])
        throw new Error(`A call ends that never began: ${rest}`);
      begun.delete(pid);
      calls.push({ ...call, end: place, result: Number(resumed[2]) });
      continue;
    }
    const [, name = '', tail = ''] = /^(\w+)\((.*)$/.exec(rest) ?? [];
    if (name === '') continue;
    const unfinished = /^(.*?),? *<unfinished \.\.\.>$/.exec(tail);
    if (unfinished) {
      begun.set(pid, { name, args: unfinished[1] ?? '', begin: place });
      continue;
    }
    const [, args = '', result = 'NaN'] = /^(.*)\) += (-?\d+|\?)/.exec(tail) ?? [];
    calls.push({ name, args, begin: place, end: place, result: Number(result) });
  }
  for (const call of begun.values()) calls.push({ ...call, end: Infinity, result: NaN });
  return calls.sort((a, b) => a.begin - b.begin);
}

/** What the file descriptor of a call stands for: a path, or `TCP:[…]`; undefined where it has none. */
export function targetOf({ args }: SystemCall): string | undefined {
  return /^\d+<((?:->|[^>])*)>/.exec(args)?.[1];
}

/** The first texts of a call as bytes, with strace's escapes (those of C) undone. */
export function bytesOf({ args }: SystemCall): Buffer {
  const quoted = /"((?:[^"\\]|\\.)*)"/.exec(args)?.[1] ?? '';
  const text = quoted.replaceAll(/\\([0-7]{1,3}|.)/g, (_, escape: string) => {
    if (/^[0-7]/.test(escape)) return String.fromCharCode(Number.parseInt(escape, 8));
    return ESCAPES.get(escape) ?? escape;
  });
  return Buffer.from(text, 'latin1');
}

const ESCAPES = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['v', '\v'],
  ['f', '\f'],
]);

/** The paths that a call such as `rename` or `mkdir` names. */
export function pathsOf({ args }: SystemCall): string[] {
  return [...args.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, path = '']) => path);
}
