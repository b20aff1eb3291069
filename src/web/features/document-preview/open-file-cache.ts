interface CachedFile<F> {
  readonly file: Promise<F>;
  /** aborts opening it */
  readonly stop: AbortController;
  /** number of places that show it */
  shown: number;
}

interface OpenFileCacheOptions<T, F> {
  /** how many stay open, unless more are shown at the same time */
  readonly maxFiles: number;
  /** `signal`: aborted when the file is no longer needed */
  readonly open: (wanted: T, signal: AbortSignal) => Promise<F>;
  readonly close: (file: F) => void;
}

/** A cache of open files, ordered by last use: visible, previous and next ones. Visible files are never closed. */
export class OpenFileCache<T extends { readonly key: string }, F> {
  readonly #options: OpenFileCacheOptions<T, F>;
  readonly #cached = new Map<string, CachedFile<F>>();

  constructor(options: OpenFileCacheOptions<T, F>) {
    this.#options = options;
  }

  /** Opens a file in advance. An error is reported when the file is shown. */
  prefetch(wanted: T): void {
    this.#use(wanted);
    this.#closeOthers();
  }

  /** Opens a file, or returns the open one; it stays open until `release` is called. */
  show(wanted: T): { readonly file: Promise<F>; readonly release: () => void } {
    const cached = this.#use(wanted);
    cached.shown++;
    this.#closeOthers();
    let released = false;
    return {
      file: cached.file,
      release: () => {
        if (released) return;
        released = true;
        cached.shown--;
        this.#closeOthers();
      },
    };
  }

  #use(wanted: T): CachedFile<F> {
    const known = this.#cached.get(wanted.key);
    const cached = known ?? this.#opened(wanted);
    this.#cached.delete(wanted.key);
    this.#cached.set(wanted.key, cached);
    if (!known) {
      // After a failure the next request tries again.
      cached.file.catch(() => {
        if (this.#cached.get(wanted.key) === cached) this.#cached.delete(wanted.key);
      });
    }
    return cached;
  }

  #opened(wanted: T): CachedFile<F> {
    const stop = new AbortController();
    return { file: this.#options.open(wanted, stop.signal), stop, shown: 0 };
  }

  #closeOthers(): void {
    const newest = [...this.#cached.keys()].at(-1);
    for (const [key, { file, stop, shown }] of this.#cached) {
      if (this.#cached.size <= this.#options.maxFiles) break;
      if (shown > 0 || key === newest) continue;
      this.#cached.delete(key);
      stop.abort();
      file.then(this.#options.close).catch(() => undefined);
    }
  }
}
