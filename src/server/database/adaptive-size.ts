/** How many items a part of long work has, and how long it should take. */
interface PartLimits {
  readonly initialSize: number;
  readonly maxSize: number;
  /** in milliseconds */
  readonly targetTime: number;
}

/** The size of the next part of long work, so that each takes about the target time. */
export class AdaptiveSize {
  readonly #limits: PartLimits;
  #current: number;

  constructor(limits: PartLimits) {
    this.#limits = limits;
    this.#current = limits.initialSize;
  }

  /** How many items the next part has. */
  get current(): number {
    return this.#current;
  }

  /** Called after a part of the current size; the next one is at most twice as large. @param took milliseconds */
  adapt(took: number): void {
    const { targetTime, maxSize } = this.#limits;
    // Parts that take less cannot be measured.
    const fitting = Math.floor((this.#current * targetTime) / Math.max(took, 0.1));
    this.#current = Math.max(1, Math.min(fitting, this.#current * 2, maxSize));
  }
}
