interface Kept<F> {
  readonly file: Promise<F>;
  /** aborts opening it */
  readonly stop: AbortController;
  /** number of places that show it */
  shown: number;
}

interface KeptFilesOptions<T, F> {
  /** how many stay open, unless more are shown at the same time */
  readonly most: number;
  /** `signal`: aborted when the file is no longer needed */
  readonly open: (wanted: T, signal: AbortSignal) => Promise<F>;
  readonly close: (file: F) => void;
}

/** A cache of open files, ordered by last use: visible, previous and next ones. Visible files are never closed. */
export class KeptFiles<T extends { readonly key: string }, F> {
  readonly #options: KeptFilesOptions<T, F>;
  readonly #kept = new Map<string, Kept<F>>();

  constructor(options: KeptFilesOptions<T, F>) {
    this.#options = options;
  }

  /** Opens a file in advance. An error is reported when the file is shown. */
  openAhead(wanted: T): void {
    this.#use(wanted);
    this.#closeOthers();
  }

  /** Opens a file, or returns the open one; it stays open until `release` is called. */
  show(wanted: T): { readonly file: Promise<F>; readonly release: () => void } {
    const kept = this.#use(wanted);
    kept.shown++;
    this.#closeOthers();
    let released = false;
    return {
      file: kept.file,
      release: () => {
        if (released) return;
        released = true;
        kept.shown--;
        this.#closeOthers();
      },
    };
  }

  #use(wanted: T): Kept<F> {
    const known = this.#kept.get(wanted.key);
    const kept = known ?? this.#opened(wanted);
    this.#kept.delete(wanted.key);
    this.#kept.set(wanted.key, kept);
    if (!known) {
      // After a failure the next request tries again.
      kept.file.catch(() => {
        if (this.#kept.get(wanted.key) === kept) this.#kept.delete(wanted.key);
      });
    }
    return kept;
  }

  #opened(wanted: T): Kept<F> {
    const stop = new AbortController();
    return { file: this.#options.open(wanted, stop.signal), stop, shown: 0 };
  }

  #closeOthers(): void {
    const newest = [...this.#kept.keys()].at(-1);
    for (const [key, { file, stop, shown }] of this.#kept) {
      if (this.#kept.size <= this.#options.most) break;
      if (shown > 0 || key === newest) continue;
      this.#kept.delete(key);
      stop.abort();
      file.then(this.#options.close).catch(() => undefined);
    }
  }
}
