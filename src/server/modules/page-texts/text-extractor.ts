import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Extracted, Problem } from './file-texts.store.ts';
import type { TextTask } from './text-worker.ts';

/** The limits of one file. */
interface Limits {
  /** milliseconds */
  readonly time: number;
  /** bytes, of the heap and of buffers outside of it */
  readonly memory: number;
}

const LIMITS: Limits = { time: 20_000, memory: 384 * 1024 * 1024 };
/** How often the memory of the thread is checked, in milliseconds. */
const LOOK = 50;

/** Compiled like this module. */
const WORKER = join(import.meta.dirname, `text-worker${extname(import.meta.filename)}`);

/**
 * Extracts the texts of files in its own thread, one at a time. If a file takes too long or too much memory, the thread
 * is ended, and the next file gets another.
 */
export class TextExtractor {
  readonly #limits: Limits;
  #worker: Worker | undefined;

  constructor(limits: Partial<Limits> = {}) {
    this.#limits = { ...LIMITS, ...limits };
  }

  /** Not before the previous one has ended. @param task its bytes are transferred */
  async extract(task: TextTask): Promise<Extracted> {
    const worker = (this.#worker ??= this.#start());
    const ended = Promise.withResolvers<Extracted>();
    let isUsable = false;
    const fail = (problem: Problem) => ended.resolve({ problem });
    const timer = setTimeout(() => fail('timeout'), this.#limits.time);
    const look = setInterval(async () => {
      if ((await memoryOf(worker)) > this.#limits.memory) fail('memory');
    }, LOOK);
    const onMessage = (extracted: Extracted) => {
      isUsable = true;
      ended.resolve(extracted);
    };
    const onError = (error: Error) =>
      fail('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'unreadable');
    const onExit = () => fail('unreadable');
    worker.on('message', onMessage).on('error', onError).on('exit', onExit);
    // A thread is not a window and has no origin.
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    worker.postMessage(task, [task.bytes.buffer]);
    const extracted = await ended.promise;
    clearTimeout(timer);
    clearInterval(look);
    worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    if (!isUsable) await this.close();
    return extracted;
  }

  #start(): Worker {
    const worker = new Worker(WORKER, {
      resourceLimits: {
        maxOldGenerationSizeMb: this.#limits.memory / 1024 / 1024,
        maxYoungGenerationSizeMb: 32,
      },
      // The worker does not need the flags of the service, and the output of pdf.js is not useful.
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    worker.stdout.resume();
    worker.stderr.resume();
    worker.unref();
    return worker;
  }

  /** Ends the thread; the next file starts another. */
  async close(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

/** Bytes, including buffers: a file that unpacks to gigabytes is not limited by a thread's heap limit. */
async function memoryOf(worker: Worker): Promise<number> {
  try {
    const { external_memory: buffers, used_heap_size: heap } = await worker.getHeapStatistics();
    return buffers + heap;
  } catch {
    // The thread has ended.
    return 0;
  }
}
