import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { PendingWork } from '#server/lib/pending-work.ts';
import { threadFile } from '#server/workers/thread-file.ts';
import { ApiError, type ErrorCode } from '#shared/contract/errors.ts';
import * as texts from '#messages/service/http.ts';
import { FairSemaphore } from '../fair-semaphore.ts';
import { unavailable } from '../unavailable.ts';
import { QueryCancellation, type QueryLimits, type ReadContext } from '../query-cancellation.ts';

/** A request to a thread: run a read on its own snapshot. */
export interface ReadCall {
  readonly name: string;
  /** archives and tables that were already sent are replaced by their numbers (`collections`) */
  readonly args: readonly unknown[];
  readonly collections: readonly SentCollection[];
}

/**
 * An archive or table among the arguments. It is sent to each thread once; later calls send only its number, until the
 * thread may remove it.
 */
interface SentCollection {
  readonly argumentIndex: number;
  readonly number: number;
  readonly collection: object | null;
}

/** The answer of a thread. */
export type ReadOutcome<Result = never> =
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly messages: ApiError['messages'] }
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly stack: string | undefined;
      /** of SQLite */
      readonly errcode: number | undefined;
    };

/** What a thread sends: that it has started, once, and then the answer of each call. */
export type ThreadMessage<Result = never> = { readonly kind: 'started' } | ReadOutcome<Result>;

const WORKER_FILE = threadFile(import.meta, './read-worker');

/**
 * Threads are worth their memory (some 60 MB each) from this database size on, in bytes: below, no request within the
 * limits (`shared/rules/limits.ts`) takes long.
 */
export const MIN_SIZE_FOR_THREADS = 1024 * 1024;

/** Concurrent queries of one user; one more thread is reserved for others. */
const MAX_PER_USER = Math.min(4, Math.max(2, availableParallelism()));
const MAX_THREADS = MAX_PER_USER + 1;
/** How long a thread may take to start, in milliseconds; then its query is answered, and another one is started next time. */
const MAX_START = 60_000;
/** How long an idle thread waits for its next call, in milliseconds; then it is ended, unless it is the only one. */
const MAX_IDLE = 10_000;

type Call = Pick<ReadCall, 'name' | 'args'>;

interface Pending {
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
  /** releases the slot once the thread is free */
  readonly releaseSlot: () => void;
}

/**
 * Runs reads of many records in threads with their own connections: SQLite computes in the calling thread, so a long
 * filter would block everything else.
 */
export class ReadWorkerPool {
  readonly #path: string;
  readonly #limits: QueryLimits;
  readonly #threads = new Set<Thread>();
  readonly #slots = new FairSemaphore(MAX_THREADS, MAX_PER_USER);
  readonly #calls = new PendingWork();
  #closed = false;

  constructor(path: string, limits: QueryLimits) {
    this.#path = path;
    this.#limits = limits;
  }

  /** calls that wait for a thread */
  get waiting(): number {
    return this.#slots.waiting.length;
  }

  /**
   * Runs a read of `workers/read-work.ts` in a thread. When its time limit expires or its client disconnects, it is
   * answered at once, and the thread stops before its next statement.
   * @throws the error of the procedure; {ApiError} `unavailable` if it was cancelled
   */
  call<Result>(name: string, args: readonly unknown[], context: ReadContext): Promise<Result> {
    if (this.#closed) return Promise.reject(new Error('The database is closed.'));
    return this.#calls.add(this.#run<Result>({ name, args }, context));
  }

  /** Calls in progress or in the queue are finished first. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#calls.settled();
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  async #run<Result>(call: Call, context: ReadContext): Promise<Result> {
    const end = new QueryCancellation(context, this.#limits);
    if (this.#threads.size === 0) this.#startThread();
    // A query that waits for a thread which is starting is not cancelled meanwhile either.
    const starting = [...this.#threads].find((thread) => thread.starting !== null)?.starting;
    if (starting) void end.countFrom(starting);
    try {
      const releaseSlot = await this.#slots.acquire(context.owner?.(), end.signal);
      return await this.#takeIdleThread().run<Result>(call, end, releaseSlot);
    } finally {
      end.dispose();
    }
  }

  /** The first idle thread, so that few threads are in use and their caches stay warm; a new one if none is idle. */
  #takeIdleThread(): Thread {
    for (const thread of this.#threads) if (!thread.isBusy) return thread;
    return this.#startThread();
  }

  #startThread(): Thread {
    const thread = new Thread(this.#path, {
      onExit: () => this.#threads.delete(thread),
      onIdle: () => this.#endIfSpare(thread),
    });
    this.#threads.add(thread);
    return thread;
  }

  #endIfSpare(thread: Thread): void {
    const others = [...this.#threads].filter((other) => other !== thread && !other.isEnding);
    if (others.length > 0) void thread.end();
  }
}

interface ThreadEvents {
  readonly onExit: () => void;
  /** no call came for `MAX_IDLE` */
  readonly onIdle: () => void;
}

class Thread {
  readonly #worker: Worker;
  /** not 0: the current call is cancelled */
  readonly #cancelled = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #numbers = new WeakMap<object, number>();
  /** lets the thread remove archives and tables that are no longer used here, such as older definitions */
  readonly #unused = new FinalizationRegistry<number>((number) => this.#worker.postMessage(number));
  readonly #ended: Promise<unknown>;
  /** fulfilled once the thread can run calls, or has ended; null: it has been */
  #starting: Promise<void> | null;
  isEnding = false;
  #idleTimer: NodeJS.Timeout | undefined;
  #next = 0;
  #pending: Pending | undefined;

  constructor(path: string, { onExit, onIdle }: ThreadEvents) {
    // The arguments that the service was started with, such as a loader, are not passed to this thread.
    this.#worker = new Worker(WORKER_FILE, {
      workerData: { path, cancelled: this.#cancelled },
      execArgv: [],
      // Results soon become garbage; a small young generation is collected before it has grown.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    const started = Promise.withResolvers<void>();
    this.#starting = started.promise;
    const startTimer = setTimeout(() => void this.#worker.terminate(), MAX_START).unref();
    this.#worker.on('message', (outcome: ThreadMessage) => {
      if (outcome.kind === 'started') {
        this.#starting = null;
        clearTimeout(startTimer);
        started.resolve();
        return;
      }
      const pending = this.#pending;
      this.#pending = undefined;
      // The process waits for the thread, also when a cancelled read is answered before it stops.
      if (!this.isEnding) {
        this.#worker.unref();
        this.#idleTimer = setTimeout(onIdle, MAX_IDLE).unref();
      }
      if (!pending) return;
      settle(pending, outcome);
      pending.releaseSlot();
    });
    this.#ended = new Promise((resolve) => {
      let failure: unknown;
      this.#worker.on('error', (error) => {
        failure = error;
      });
      this.#worker.on('exit', () => {
        const pending = this.#pending;
        this.#pending = undefined;
        clearTimeout(startTimer);
        started.resolve();
        resolve(undefined);
        onExit();
        const hasStarted = this.#starting === null;
        pending?.reject(
          failure ??
            (hasStarted
              ? new Error('A thread that reads ended early.')
              : unavailable(texts.databaseBusy, new Error('A thread did not start in time.'))),
        );
        pending?.releaseSlot();
      });
    });
    this.#worker.unref();
  }

  /** fulfilled once the thread can run calls; null: it has started */
  get starting(): Promise<void> | null {
    return this.#starting;
  }

  get isBusy(): boolean {
    return this.#pending !== undefined || this.isEnding;
  }

  /**
   * Runs a procedure; the thread must be idle.
   * @param cancellation cancels it; its time begins when the thread has started, which takes seconds on a busy machine
   * @param releaseSlot called when the thread is free again
   */
  async run<Result>(
    call: Call,
    cancellation: QueryCancellation,
    releaseSlot: () => void,
  ): Promise<Result> {
    const { signal } = cancellation;
    if (signal.aborted) {
      releaseSlot();
      throw signal.reason;
    }
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    clearTimeout(this.#idleTimer);
    if (this.#starting) void cancellation.countFrom(this.#starting);
    this.#pending = { resolve, reject, releaseSlot };
    const cancel = () => {
      Atomics.store(this.#cancelled, 0, 1);
      reject(signal.reason);
    };
    Atomics.store(this.#cancelled, 0, 0);
    signal.addEventListener('abort', cancel, { once: true });
    try {
      this.#send(call);
      return await promise;
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  #send({ name, args }: Call): void {
    const collections = args.flatMap((arg, index) =>
      isCollection(arg) ? [this.#toSent(arg, index)] : [],
    );
    const others = args.map((arg) => (isCollection(arg) ? null : arg));
    const call: ReadCall = { name, args: others, collections };
    this.#worker.ref();
    try {
      this.#worker.postMessage(call);
    } catch (error) {
      const pending = this.#pending;
      this.#pending = undefined;
      pending?.reject(error);
      pending?.releaseSlot();
    }
  }

  /** The current call is finished first. */
  async end(): Promise<void> {
    this.isEnding = true;
    this.#worker.ref();
    this.#worker.postMessage('end');
    await this.#ended;
  }

  #toSent(collection: object, argumentIndex: number): SentCollection {
    const known = this.#numbers.get(collection);
    if (known !== undefined) return { argumentIndex, number: known, collection: null };
    const number = this.#next++;
    this.#numbers.set(collection, number);
    this.#unused.register(collection, number);
    return { argumentIndex, number, collection };
  }
}

function isCollection(arg: unknown): arg is object {
  return typeof arg === 'object' && arg !== null && 'listColumns' in arg;
}

function settle({ resolve, reject }: Pending, outcome: ReadOutcome): void {
  switch (outcome.kind) {
    case 'result':
      resolve(outcome.result);
      return;
    case 'refused':
      reject(new ApiError(outcome.code, outcome.messages));
      return;
    default: {
      const { message, stack, errcode } = outcome;
      const error = new Error(message);
      if (stack !== undefined) error.stack = stack;
      reject(errcode === undefined ? error : Object.assign(error, { errcode }));
    }
  }
}
