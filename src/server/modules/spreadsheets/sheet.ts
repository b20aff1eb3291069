import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ApiError } from '#shared/errors.ts';
import type { Cell } from '#shared/spreadsheets.ts';
import type { SheetMessage } from './sheet-worker.ts';

/** A row of a spreadsheet with the line (from 1) in which it stands. */
export interface SheetRow {
  readonly line: number;
  readonly cells: readonly Cell[];
}

/** The most rows of a file below its headers. */
const MAX_ROWS = 100_000;
/** Megabytes that the reading of one file may take. */
const MAX_MEMORY = 384;
/** Milliseconds without a row. */
const PATIENCE = 60_000;

/**
 * Reads the rows of a spreadsheet: the first sheet of an XLSX, or CSV with commas, semicolons or tabs in UTF-8,
 * UTF-16 or Windows-1252. Rows without content are left out.
 * @returns the headers first
 * @throws {ApiError} 422 under `files.0` where the file cannot be read or has too many rows
 */
export async function* readSheet(path: string): AsyncGenerator<SheetRow> {
  await takeTurn();
  const worker = new Worker(WORKER, {
    workerData: path,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY, maxYoungGenerationSizeMb: 16 },
    // What the service was started with, such as a loader, is not for this thread.
    execArgv: [],
  });
  try {
    let count = 0;
    for (;;) {
      const message = await nextMessage(worker);
      if (message.kind === 'end') break;
      if (message.kind === 'unreadable') throw unreadable(message.message);
      count += message.rows.length;
      if (count > MAX_ROWS + 1) {
        throw unreadable(`The file has more than ${MAX_ROWS.toLocaleString('en')} rows. Split it.`);
      }
      yield* message.rows;
      // A thread is no window: there is no origin to name.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      worker.postMessage('go on');
    }
    if (count === 0) throw unreadable('The file is empty.');
  } finally {
    await worker.terminate();
    endTurn();
  }
}

/** Files that are read at the same time; further ones wait, as each may take much memory. */
const MOST_AT_ONCE = 4;
const waiting: (() => void)[] = [];
let reading = 0;

async function takeTurn(): Promise<void> {
  if (reading < MOST_AT_ONCE) reading += 1;
  else await new Promise<void>((resolve) => waiting.push(resolve));
}

function endTurn(): void {
  const next = waiting.shift();
  if (next) next();
  else reading -= 1;
}

/** Compiled like this module. */
const WORKER = join(import.meta.dirname, `sheet-worker${extname(import.meta.filename)}`);

function nextMessage(worker: Worker): Promise<SheetMessage> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(timer);
      worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      act();
    };
    const onMessage = (message: SheetMessage) => settle(() => resolve(message));
    const onError = (error: unknown) => {
      const outOfMemory =
        error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      settle(() => reject(outOfMemory ? unreadable('The file is too large to be read.') : error));
    };
    const onExit = () =>
      settle(() => reject(new Error('The reading of a spreadsheet ended early.')));
    const timer = setTimeout(
      () => settle(() => reject(unreadable('The file takes too long to be read.'))),
      PATIENCE,
    );
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  });
}

function unreadable(message: string): ApiError {
  return new ApiError('validation_failed', { 'files.0': [message] });
}
