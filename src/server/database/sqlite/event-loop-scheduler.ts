import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers';

/** How long queued work may occupy the event loop, in milliseconds. */
const MAX_SLICE = 10;

/**
 * Spreads synchronous work, such as SQLite's reads, over the turns of the event loop, first in, first out: after 10 ms
 * the rest starts in the next turn. Otherwise a thousand simultaneous requests would be answered before anything else
 * runs, such as health checks and load measurements.
 */
export class EventLoopScheduler {
  readonly #waiting: (() => void)[] = [];
  /** when the work of this turn began; null: none yet */
  #since: number | null = null;

  /** @returns null: start at once; else a promise of its turn. Call `endWork` after the work */
  waitForTurn(): Promise<void> | null {
    if (this.#since === null) this.#turn();
    if (this.#waiting.length === 0 && this.#hasTime()) return null;
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }

  endWork(): void {
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
