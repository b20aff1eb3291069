/** Reads the next page while one is used. */
export async function* readAhead<Page>(pages: AsyncIterable<Page>): AsyncGenerator<Page> {
  const iterator = pages[Symbol.asyncIterator]();
  for (let next = iterator.next(); ;) {
    const { value, done } = await next;
    if (done === true) return;
    next = iterator.next();
    // The error is thrown when the page is awaited, which may never happen.
    next.catch(() => undefined);
    yield value;
  }
}

/** Iterates over the items of pages. */
export class Pages<T> {
  readonly #pages: AsyncIterator<readonly T[]>;
  #page: readonly T[] = [];
  #at = 0;
  #over = false;

  constructor(pages: AsyncIterable<readonly T[]>) {
    this.#pages = readAhead(pages)[Symbol.asyncIterator]();
  }

  /** The current item; undefined: there are no more. Asynchronous only if a page must be read. */
  head(): T | undefined | Promise<T | undefined> {
    return this.#at < this.#page.length ? this.#page[this.#at] : this.#turn();
  }

  /** Moves to the next item, and returns it. */
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
