/*
 * Settings from the environment, so that a run can be short. The table of docs/how-fast.md is measured with the defaults.
 */

function numbers(name: string, fallback: readonly number[]): readonly number[] {
  const given = process.env[name];
  if (given === undefined || given === '') return fallback;
  const list = given.split(',').map(Number);
  if (list.some((number) => !(number > 0)))
    throw new Error(`${name}=${given}: numbers are wanted.`);
  return list;
}

/** Revisions, and records, of the databases. */
export const SIZES = numbers('INDEXDESK_BENCH_ROWS', [100_000, 1_000_000]);
/** The rows of a case of its own size, where the environment says no other. */
export function rowsOr(rows: number): number {
  const [size = rows] = numbers('INDEXDESK_BENCH_ROWS', [rows]);
  return size;
}
export const CONNECTIONS = numbers('INDEXDESK_BENCH_CONNECTIONS', [1, 32, 256]);
/** How often each figure and its floors are measured, in turn; the median counts. */
export const [ROUNDS = 5] = numbers('INDEXDESK_BENCH_ROUNDS', [5]);
/** For how long each is measured in a round. */
export const [SECONDS = 1] = numbers('INDEXDESK_BENCH_SECONDS', [1]);
