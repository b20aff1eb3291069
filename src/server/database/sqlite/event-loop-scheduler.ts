import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';

/** How long what has come together may keep the event loop, in milliseconds. */
const MAX_SLICE = 10;

/**
 * Spreads work that never waits by itself, as SQLite's reads do, over the turns of the event loop, first come first:
 * after 10 ms what else has come begins in the next turn. Else a thousand requests that have come together would be
 * answered before anything else is heard, health and the measures of load among it.
 */
export class EventLoopScheduler {
  readonly #waiting: (() => void)[] = [];
  /** when the work of this turn began; null: there was none yet */
  #since: number | null = null;

  /** @returns null: it may begin at once; else the promise of its turn. `ended` is to be called after it */
  next(): Promise<void> | null {
    if (this.#since === null) this.#turn();
    if (this.#waiting.length === 0 && this.#hasTime()) return null;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  ended(): void {
    if (this.#hasTime()) this.#waiting.shift()?.();
  }

  #turn(): void {
    this.#since = performance.now();
    setImmediate(() => {
      if (this.#waiting.length === 0) this.#since = null;
      else this.#turn();
    });
    this.#waiting.shift()?.();
  }

  #hasTime(): boolean {
    return this.#since !== null && performance.now() - this.#since < MAX_SLICE;
  }
}
