import { Worker } from 'node:worker_threads';

const MIB = 1024 * 1024;
/** What a thread that reads a foreign file may take, in bytes: its heap, and buffers outside of it. */
export const THREAD_MEMORY = 128 * MIB;
/** Of it for new objects. */
const YOUNG_GENERATION_BYTES = 16 * MIB;
/** How often the memory is read, in milliseconds: buffers are not limited by the heap's limit. */
const MEMORY_CHECK_INTERVAL = 20;

let taken = 0;

/** What running threads may take, in bytes. */
export function memoryOfThreads(): number {
  return taken;
}

interface Options {
  readonly workerData?: unknown;
  /** bytes; by default `THREAD_MEMORY` */
  readonly memory?: number;
  /** called once if the thread takes more; it must end the thread */
  readonly onTooLarge: () => void;
}

/**
 * Starts a thread for reading foreign files. The caller has reserved its memory (`memory-budget.ts`). Beyond the limit of
 * its heap the thread ends with `ERR_WORKER_OUT_OF_MEMORY`.
 */
export function startLimitedThread(
  module: string,
  { workerData, memory = THREAD_MEMORY, onTooLarge }: Options,
): Worker {
  const worker = new Worker(module, {
    workerData,
    resourceLimits: {
      maxOldGenerationSizeMb: (memory - 2 * YOUNG_GENERATION_BYTES) / MIB,
      maxYoungGenerationSizeMb: YOUNG_GENERATION_BYTES / MIB,
    },
    // The thread does not need the flags of the service, and what libraries say is not useful.
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  const memoryTimer = setInterval(async () => {
    if ((await memoryOf(worker)) <= memory) return;
    clearInterval(memoryTimer);
    onTooLarge();
  }, MEMORY_CHECK_INTERVAL);
  taken += memory;
  worker.once('exit', () => {
    clearInterval(memoryTimer);
    taken -= memory;
  });
  memoryTimer.unref();
  return worker;
}

async function memoryOf(worker: Worker): Promise<number> {
  try {
    const { external_memory: buffers, used_heap_size: heap } = await worker.getHeapStatistics();
    return buffers + heap;
  } catch {
    // The thread has ended.
    return 0;
  }
}

export function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}
