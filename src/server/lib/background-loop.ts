import type { WarningLog } from './warning-log.ts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/** The result of a run after which the loop only runs when it is woken. */
export const UNTIL_WOKEN = Number.POSITIVE_INFINITY;

/** The pause after the first failure, doubled with each further one in succession, in milliseconds. */
const RETRY_PAUSE = { initial: 500, max: 5_000 } as const;

interface Options {
  /** of the loop, for the log */
  readonly name: string;
  /**
   * One run. A rejection is logged, and the run is repeated after a pause that grows with the number of failures.
   * @param signal aborted when the loop closes, which waits for the run
   * @returns the pause until the next run, in milliseconds; a wake shortens it
   */
  readonly run: (signal: AbortSignal) => Promise<number>;
  readonly log: WarningLog;
  /** before the first run, in milliseconds; by default 0 */
  readonly firstPause?: number;
  /** between a wake and its run, in milliseconds, so that one run serves several wakes; by default 0 */
  readonly wakeDelay?: number;
}

/** Work that a process repeats in the background: at intervals and when it is woken, one run at a time. */
export class BackgroundLoop {
  readonly #options: Options;
  readonly #closing = new AbortController();
  /** A run belongs neither to the request nor to the transaction in which `wake` is called. */
  readonly #outside = AsyncLocalStorage.snapshot();
  #timer: NodeJS.Timeout | undefined;
  #dueAt = Number.POSITIVE_INFINITY;
  /** The earliest time of the next run, after a failure. */
  #retryAt = 0;
  #failures = 0;
  #running: Promise<void> | undefined;
  #isWoken = false;

  constructor(options: Options) {
    this.#options = options;
    this.#schedule(options.firstPause ?? 0);
  }

  /** Whether it was woken after the last run started. */
  get isWoken(): boolean {
    return this.#isWoken;
  }

  /** Starts a run soon; during a run, another one after it. */
  wake(): void {
    this.#isWoken = true;
    if (!this.#running) this.#schedule(this.#options.wakeDelay ?? 0);
  }

  /** Starts no further run, and resolves when the current one has ended. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  #schedule(pause: number): void {
    const now = performance.now();
    const dueAt = Math.max(now + pause, this.#retryAt);
    if (this.#closing.signal.aborted || dueAt >= this.#dueAt) return;
    clearTimeout(this.#timer);
    this.#dueAt = dueAt;
    const begin = () => {
      this.#running = this.#runAndSchedule();
    };
    this.#timer = this.#outside(() => setTimeout(begin, dueAt - now).unref());
  }

  async #runAndSchedule(): Promise<void> {
    this.#dueAt = Number.POSITIVE_INFINITY;
    this.#isWoken = false;
    const pause = await this.#run();
    this.#running = undefined;
    this.#schedule(this.#isWoken ? Math.min(pause, this.#options.wakeDelay ?? 0) : pause);
  }

  /** @returns the pause until the next run */
  async #run(): Promise<number> {
    const { name, run, log } = this.#options;
    const { signal } = this.#closing;
    try {
      const pause = await run(signal);
      this.#failures = 0;
      return pause;
    } catch (error) {
      const pause = Math.min(RETRY_PAUSE.initial * 2 ** this.#failures++, RETRY_PAUSE.max);
      this.#retryAt = performance.now() + pause;
      if (!signal.aborted) log.warn({ err: error, retryInMs: pause }, `${name} failed`);
      return pause;
    }
  }
}

/** Resolves after `milliseconds`, or when `signal` is aborted; does not keep the process running. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}
