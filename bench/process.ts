import { readFile } from 'node:fs/promises';

/** Linux counts a process's time in hundredths of a second (sysconf(_SC_CLK_TCK)) on all its platforms. */
const TICK = 10;

/** Milliseconds of processor time that a process has taken so far; 0 where the system does not tell. */
export async function processorTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name before may hold anything, in parentheses; utime and stime are the 12th and 13th after it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK;
}

/** Megabytes of memory that a process holds; 0 where the system does not tell. */
export async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmRSS:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}
