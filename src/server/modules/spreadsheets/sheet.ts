import * as texts from '#messages/service/spreadsheets.ts';
import type { Message } from '#shared/messages/message.ts';
import { on } from 'node:events';
import type { Worker } from 'node:worker_threads';
import {
  isOutOfMemory,
  startLimitedThread,
  THREAD_MEMORY,
} from '#server/workers/limited-thread.ts';
import { reserveMemory } from '#server/workers/memory-budget.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { Cell } from '#shared/rules/spreadsheets.ts';
import { threadFile } from '#server/workers/thread-file.ts';
import type { SheetFormat, SheetMessage } from './sheet-worker.ts';

/** The known properties of a spreadsheet; undefined ones are detected. */
interface SheetOptions {
  readonly separator: string | undefined;
  readonly encoding: string | undefined;
}

/** A row of a spreadsheet with its line (from 1). */
export interface SheetRow {
  readonly line: number;
  readonly cells: readonly Cell[];
  /** of the file */
  readonly format: SheetFormat;
}

/** The maximum number of rows below the headers. */
const MAX_ROWS = 100_000;
/** Milliseconds without a row. */
const IDLE_TIMEOUT = 60_000;

/**
 * Reads the rows of a spreadsheet: the first sheet of an XLSX, or CSV with commas, semicolons or tabs in UTF-8,
 * UTF-16 or Windows-1252. Rows without content are left out.
 * @returns the headers first
 * @throws {ApiError} 422 under `files.0` if the file cannot be read or has too many rows
 */
export async function* readSheet(
  path: string,
  { separator, encoding }: SheetOptions,
): AsyncGenerator<SheetRow> {
  const release = await reserveMemory(THREAD_MEMORY);
  const ending = new AbortController();
  const worker = startLimitedThread(WORKER, {
    workerData: { path, separator, encoding },
    onTooLarge: () => ending.abort(unreadable(texts.fileTooLarge)),
  });
  try {
    let count = 0;
    for await (const { format, rows } of piecesOf(worker, ending)) {
      count += rows.length;
      if (count > MAX_ROWS + 1) {
        throw unreadable(texts.tooManyRows({ max: MAX_ROWS }));
      }
      for (const row of rows) yield { ...row, format };
    }
    if (count === 0) throw unreadable(texts.fileEmpty);
  } finally {
    await worker.terminate();
    release();
  }
}

const WORKER = threadFile(import.meta, './sheet-worker');

async function* piecesOf(
  worker: Worker,
  ending: AbortController,
): AsyncGenerator<Extract<SheetMessage, { kind: 'rows' }>> {
  const startTimer = () =>
    setTimeout(() => ending.abort(unreadable(texts.readingTooSlow)), IDLE_TIMEOUT);
  let timer = startTimer();
  try {
    const messages = on(worker, 'message', { signal: ending.signal, close: ['exit'] });
    for await (const [message] of messages) {
      const received: SheetMessage = message;
      clearTimeout(timer);
      if (received.kind === 'end') return;
      if (received.kind === 'unreadable') throw unreadable(received.message);
      yield received;
      timer = startTimer();
      worker.postMessage('next');
    }
    throw new Error('The reading of a spreadsheet ended early.');
  } catch (error) {
    if (ending.signal.aborted) throw ending.signal.reason;
    throw isOutOfMemory(error) ? unreadable(texts.fileTooLarge) : error;
  } finally {
    clearTimeout(timer);
  }
}

/** The file cannot be read. */
function unreadable(message: Message): ApiError {
  return new ApiError('validation_failed', { 'files.0': [message] });
}
