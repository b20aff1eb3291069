import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ApiError, type ErrorCode, type ErrorMessages } from '#shared/errors.ts';
import { Waiting } from './waiting.ts';

/** What a thread is asked: to run one of its procedures on a snapshot of its own. */
export interface Call {
  readonly name: string;
  /** archives and tables stand here by their numbers once they were sent (`things`) */
  readonly args: readonly unknown[];
  readonly things: readonly SentThing[];
}

/** An archive or table that stands at a place of the arguments; it is sent to each thread once. */
interface SentThing {
  readonly place: number;
  readonly number: number;
  readonly thing: object | null;
}

/** What a thread answers. */
export type Outcome<Result = never> =
  | { readonly kind: 'result'; readonly result: Result }
  | { readonly kind: 'refused'; readonly code: ErrorCode; readonly errors: ErrorMessages }
  | {
      readonly kind: 'failed';
      readonly message: string;
      readonly stack: string | undefined;
      /** SQLite's */
      readonly errcode: number | undefined;
    };

/** Compiled like this module. */
const THREAD = join(import.meta.dirname, `../apart/reading-thread${extname(import.meta.filename)}`);

/**
 * Threads are worth their memory (some 15 MB each) from this size of a database on, in bytes: below, nothing that
 * is read takes long.
 */
const WORTH_THREADS = 48 * 1024 * 1024;

/** A long read leaves one for the others. */
const MOST_THREADS = Math.min(4, Math.max(2, availableParallelism()));

/** How often the size of the database is looked at, in milliseconds. */
const LOOK_EVERY = 1_000;

interface Pending {
  readonly call: Pick<Call, 'name' | 'args'>;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Reads of many records in threads over connections of their own: SQLite computes in the thread that asks, so that
 * a long filter would keep everything else waiting.
 */
export class ReadingThreads {
  readonly #path: string;
  readonly #worth: number;
  readonly #threads = new Set<Thread>();
  readonly #queue: (Pending & { readonly begin: () => void })[] = [];
  readonly #waits = new Waiting();
  #lookedAt = -Infinity;
  #large = false;
  #closed = false;

  /** @param worth for tests: from which size of the database on, in bytes */
  constructor(path: string, worth = WORTH_THREADS) {
    this.#path = path;
    this.#worth = worth;
  }

  get load(): { readonly waiting: number; readonly longest: number } {
    return { waiting: this.#waits.length, longest: this.#waits.longest };
  }

  /** Whether the database is large enough for threads. */
  async worthwhile(): Promise<boolean> {
    if (this.#large || this.#closed || performance.now() - this.#lookedAt < LOOK_EVERY)
      return this.#large;
    this.#lookedAt = performance.now();
    this.#large = (await stat(this.#path)).size >= this.#worth;
    return this.#large;
  }

  /**
   * Runs a procedure of `apart/procedures.ts` in a thread.
   * @throws what it threw
   */
  call<Result>(name: string, args: readonly unknown[]): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#closed) {
        reject(new Error('The database is closed.'));
        return;
      }
      this.#queue.push({ call: { name, args }, resolve, reject, begin: this.#waits.begin() });
      this.#turn();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { reject, begin } of this.#queue.splice(0)) {
      begin();
      reject(new Error('The database is closed.'));
    }
    await Promise.all([...this.#threads].map((thread) => thread.end()));
  }

  #turn(): void {
    while (this.#queue.length > 0) {
      const thread = this.#idle();
      const next = thread && this.#queue.shift();
      if (!next) return;
      next.begin();
      thread.run(next);
    }
  }

  /** The thread that was used last is the one whose memory is warm. */
  #idle(): Thread | undefined {
    for (const thread of this.#threads) if (!thread.busy) return thread;
    if (this.#threads.size >= MOST_THREADS) return undefined;
    const thread = new Thread(this.#path, {
      free: () => this.#turn(),
      gone: () => {
        this.#threads.delete(thread);
        if (!this.#closed) this.#turn();
      },
    });
    this.#threads.add(thread);
    return thread;
  }
}

class Thread {
  readonly #worker: Worker;
  readonly #numbers = new WeakMap<object, number>();
  readonly #ended: Promise<unknown>;
  #next = 0;
  #pending: Pending | undefined;

  constructor(path: string, on: { readonly free: () => void; readonly gone: () => void }) {
    // What the service was started with, such as a loader, is not for this thread.
    this.#worker = new Worker(THREAD, {
      workerData: { path },
      execArgv: [],
      // What is read is soon garbage; a small nursery is emptied before it has grown.
      resourceLimits: { maxYoungGenerationSizeMb: 8 },
    });
    this.#worker.on('message', (outcome: Outcome) => {
      const pending = this.#pending;
      this.#pending = undefined;
      this.#worker.unref();
      if (pending) settle(pending, outcome);
      on.free();
    });
    this.#ended = new Promise((resolve) => {
      let failure: unknown;
      this.#worker.on('error', (error) => {
        failure = error;
      });
      this.#worker.on('exit', () => {
        this.#pending?.reject(failure ?? new Error('A thread that reads ended early.'));
        this.#pending = undefined;
        resolve(undefined);
        on.gone();
      });
    });
    this.#worker.unref();
  }

  get busy(): boolean {
    return this.#pending !== undefined;
  }

  run(pending: Pending): void {
    this.#pending = pending;
    const { name, args } = pending.call;
    const things = args.flatMap((arg, place) => (isThing(arg) ? [this.#sent(arg, place)] : []));
    const others = args.map((arg) => (isThing(arg) ? null : arg));
    const call: Call = { name, args: others, things };
    this.#worker.ref();
    try {
      // A thread is no window: there is no origin to name.
      // oxlint-disable-next-line unicorn/require-post-message-target-origin
      this.#worker.postMessage(call);
    } catch (error) {
      this.#pending = undefined;
      pending.reject(error);
    }
  }

  /** What is under way is finished first. */
  async end(): Promise<void> {
    this.#worker.ref();
    // oxlint-disable-next-line unicorn/require-post-message-target-origin
    this.#worker.postMessage('end');
    await this.#ended;
  }

  #sent(thing: object, place: number): SentThing {
    const known = this.#numbers.get(thing);
    if (known !== undefined) return { place, number: known, thing: null };
    const number = this.#next++;
    this.#numbers.set(thing, number);
    return { place, number, thing };
  }
}

function isThing(arg: unknown): arg is object {
  return typeof arg === 'object' && arg !== null && 'listColumns' in arg;
}

function settle({ resolve, reject }: Pending, outcome: Outcome): void {
  switch (outcome.kind) {
    case 'result':
      resolve(outcome.result);
      return;
    case 'refused':
      reject(new ApiError(outcome.code, outcome.errors));
      return;
    default: {
      const { message, stack, errcode } = outcome;
      const error = new Error(message);
      if (stack !== undefined) error.stack = stack;
      reject(errcode === undefined ? error : Object.assign(error, { errcode }));
    }
  }
}
