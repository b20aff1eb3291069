import { connection } from './connection.ts';
import { CallError, readFailure } from './failure.ts';
import { retryWhileUnavailable } from './retry-while-unavailable.ts';
import { sessionGate } from './session-gate.ts';

/** Bytes of a file with their metadata. */
interface FileBytes {
  readonly bytes: ArrayBuffer;
  /** of the whole file */
  readonly size: number;
}

interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** The range of bytes to read, excluding `end`; a service without ranges returns the whole file. */
  readonly range?: { readonly begin: number; readonly end: number };
}

/**
 * Reads a file or a part of it. While the service is unreachable it retries, and if the session has ended it waits
 * until the user has signed in again, like all reads.
 * @throws {CallError} the service's error; never `unreachable`
 */
export function readFile(path: string, { signal, range }: ReadOptions = {}): Promise<FileBytes> {
  return retryWhileUnavailable(() => readOnce(path, range, signal), signal);
}

async function readOnce(
  path: string,
  range: ReadOptions['range'],
  signal: AbortSignal | undefined,
): Promise<FileBytes> {
  for (;;) {
    const headers = new Headers();
    if (range) headers.set('Range', `bytes=${range.begin}-${range.end - 1}`);
    const response = await withNetworkErrors(
      () => fetch(path, { headers, signal: signal ?? null }),
      signal,
    );
    connection.set('fine');
    if (response.ok) {
      const bytes = await withNetworkErrors(() => response.arrayBuffer(), signal);
      const whole = /\/(\d+)$/.exec(response.headers.get('Content-Range') ?? '')?.[1];
      return { bytes, size: whole === undefined ? bytes.byteLength : Number(whole) };
    }
    const failure = await readFailure(
      response,
      await withNetworkErrors(() => response.text(), signal),
    );
    if (response.status === 401 && (await sessionGate.pass(signal))) continue;
    throw new CallError(failure);
  }
}

/** The connection can also break between the head of an answer and its body. */
async function withNetworkErrors<T>(
  work: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof TypeError)) throw error;
    throw new CallError({ kind: 'unreachable' });
  }
}
