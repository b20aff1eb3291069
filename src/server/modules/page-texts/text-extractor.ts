import type { Worker } from 'node:worker_threads';
import {
  isOutOfMemory,
  startLimitedThread,
  THREAD_MEMORY,
} from '#server/workers/limited-thread.ts';
import { onMemoryWanted, reserveMemory } from '#server/workers/memory-budget.ts';
import { threadFile } from '#server/workers/thread-file.ts';
import type { Extracted, Problem } from './file-texts.ts';
import type { TextTask } from './text-worker.ts';

/** The limits of one file. */
interface Limits {
  /** milliseconds */
  readonly time: number;
  /** bytes, of the heap and of buffers outside of it */
  readonly memory: number;
}

const LIMITS: Limits = { time: 20_000, memory: THREAD_MEMORY };

const WORKER = threadFile(import.meta, './text-worker');

/**
 * Extracts the texts of files in its own thread, one at a time. If a file takes too long or too much memory, the thread
 * is ended, and the next file gets another.
 */
export class TextExtractor {
  readonly #limits: Limits;
  #worker: Worker | undefined;
  /** gives back the memory of the idle thread */
  #release: (() => void) | undefined;
  #stopOffering: (() => void) | undefined;
  #onTooLarge: () => void = () => undefined;

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /**
   * Not before the previous one has ended.
   * @param read called once there is memory for the file; its bytes are transferred
   */
  async extract(read: () => Promise<TextTask | Extracted>): Promise<Extracted> {
    const release = this.#takeMemory() ?? (await reserveMemory(this.#limits.memory));
    let isUsable = this.#worker !== undefined;
    try {
      const task = await read();
      if (!('bytes' in task)) return task;
      isUsable = false;
      const ended = await this.#extract(task);
      ({ isUsable } = ended);
      return ended.extracted;
    } finally {
      if (isUsable) this.#keepIdle(release);
      else await this.#end(release);
    }
  }

  /** An idle thread keeps the memory of pdf.js reserved until other work waits for memory. */
  #keepIdle(release: () => void): void {
    this.#release = release;
    this.#stopOffering = onMemoryWanted(() => void this.close());
  }

  /** The memory of the idle thread. */
  #takeMemory(): (() => void) | undefined {
    const release = this.#release;
    this.#release = undefined;
    this.#stopOffering?.();
    return release;
  }

  async #extract(task: TextTask): Promise<{ extracted: Extracted; isUsable: boolean }> {
    const ended = Promise.withResolvers<Extracted>();
    let isUsable = false;
    const fail = (problem: Problem) => ended.resolve({ problem });
    this.#onTooLarge = () => fail('memory');
    const worker = (this.#worker ??= this.#start());
    const timer = setTimeout(() => fail('timeout'), this.#limits.time);
    const onMessage = (extracted: Extracted) => {
      isUsable = true;
      ended.resolve(extracted);
    };
    const onError = (error: Error) => fail(isOutOfMemory(error) ? 'memory' : 'unreadable');
    const onExit = () => fail('unreadable');
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    worker.postMessage(task, [task.bytes.buffer]);
    const extracted = await ended.promise;
    clearTimeout(timer);
    worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    return { extracted, isUsable };
  }

  #start(): Worker {
    const worker = startLimitedThread(WORKER, {
      memory: this.#limits.memory,
      onTooLarge: () => this.#onTooLarge(),
    });
    worker.unref();
    return worker;
  }

  /** Ends the thread; the next file starts another. A file that is being read ends as unreadable. */
  async close(): Promise<void> {
    await this.#end(this.#takeMemory());
  }

  async #end(release: (() => void) | undefined): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
    release?.();
  }
}
