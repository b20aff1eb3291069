import { readFileSync, statfsSync } from 'node:fs';

const IN_MEMORY = '/dev/shm';
/** Bytes. A whole run needs about half of them. */
const ROOM = 4 * 2 ** 30;

/**
 * Lets this process and the processes that it starts keep their temporary files in memory, where Linux offers room
 * for that: a commit of SQLite then costs microseconds instead of a sync of the disk. A TMPDIR that is set stays.
 */
export function keepTemporaryFilesInMemory(): void {
  if (process.env['TMPDIR'] === undefined && isUsable()) process.env['TMPDIR'] = IN_MEMORY;
}

function isUsable(): boolean {
  if (process.platform !== 'linux') return false;
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    if (bavail * bsize < ROOM) return false;
    const mount = readFileSync('/proc/mounts', 'utf8')
      .split('\n')
      .findLast((line) => line.split(' ')[1] === IN_MEMORY);
    // PostgreSQL's programs are copied into a temporary folder.
    return mount?.split(' ')[3]?.split(',').includes('noexec') === false;
  } catch {
    // Without /proc or this folder the disk serves.
    return false;
  }
}
