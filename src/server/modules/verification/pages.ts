/** Goes through what comes in pages, one after the other. */
export class Pages<T> {
  readonly #pages: AsyncIterator<readonly T[]>;
  #page: readonly T[] = [];
  #at = 0;
  #over = false;

  constructor(pages: AsyncIterable<readonly T[]>) {
    this.#pages = pages[Symbol.asyncIterator]();
  }

  /** The one that comes next; undefined: there are no more. Waits only where a page must be read. */
  head(): T | undefined | Promise<T | undefined> {
    return this.#at < this.#page.length ? this.#page[this.#at] : this.#turn();
  }

  /** Leaves the one at the head. @returns the one behind it */
  next(): T | undefined | Promise<T | undefined> {
    this.#at += 1;
    return this.head();
  }

  async #turn(): Promise<T | undefined> {
    while (this.#at >= this.#page.length && !this.#over) {
      const { value, done } = await this.#pages.next();
      this.#over = done === true;
      this.#page = done === true ? [] : value;
      this.#at = 0;
    }
    return this.#page[this.#at];
  }
}
