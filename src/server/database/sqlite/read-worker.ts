import { parentPort, workerData } from 'node:worker_threads';
import type { ReadCall, ReadOutcome, ThreadMessage } from './read-worker-pool.ts';
import { isJsonBytes } from '#server/workers/json-bytes.ts';
import { ListCache } from './list-cache.ts';
import { readSnapshot } from './read-snapshot.ts';
import { SqliteConnection } from './sqlite-connection.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { loadRead } from '#server/workers/read-work.ts';

/*
 * The thread in which `ReadWorkerPool` runs reads, one after the other, each on the newest snapshot.
 */

/** Memory for the lists of ids that one thread keeps, in bytes. */
const MAX_LIST_BYTES = 32 * 1024 * 1024;

interface WorkerData {
  /** of the database */
  readonly path: string;
  readonly cancelled: Int32Array;
}

const { path, cancelled }: WorkerData = workerData;
const connection = await SqliteConnection.open(path, 'read worker', () => {
  // A statement cannot be interrupted, but the next one is not started. The caller has already been answered.
  if (Atomics.load(cancelled, 0) !== 0) throw new Error('The query was cancelled.');
});
const cache = new ListCache(MAX_LIST_BYTES);
const collections = new Map<number, object>();

async function run({ name, args, collections: sent }: ReadCall): Promise<unknown> {
  const read = await loadRead(name);
  const whole = [...args];
  for (const { argumentIndex, number, collection } of sent) {
    if (collection) collections.set(number, collection);
    whole[argumentIndex] = collections.get(number);
  }
  return readSnapshot(connection, (db) => read.run(db, whole), cache);
}

/** @param call a number: of an archive or table that will not be used any more */
parentPort?.on('message', async (call: ReadCall | number | 'end') => {
  if (typeof call === 'number') {
    collections.delete(call);
    return;
  }
  if (call === 'end') {
    connection.close();
    parentPort?.close();
    return;
  }
  let outcome: ReadOutcome<unknown>;
  try {
    outcome = { kind: 'result', result: await run(call) };
  } catch (error) {
    outcome = outcomeOf(error);
  }
  parentPort?.postMessage(outcome, bytesOf(outcome));
});

const started: ThreadMessage = { kind: 'started' };
parentPort?.postMessage(started);

/** The bytes of an answer, which are transferred without a copy. */
function bytesOf(outcome: ReadOutcome<unknown>): ArrayBuffer[] {
  return outcome.kind === 'result' && isJsonBytes(outcome.result)
    ? [outcome.result.bytes.buffer]
    : [];
}

function outcomeOf(error: unknown): ReadOutcome<unknown> {
  if (error instanceof ApiError) {
    return { kind: 'refused', code: error.code, messages: error.messages };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  const errcode =
    error instanceof Error && 'errcode' in error && typeof error.errcode === 'number'
      ? error.errcode
      : undefined;
  return { kind: 'failed', message, stack, errcode };
}
