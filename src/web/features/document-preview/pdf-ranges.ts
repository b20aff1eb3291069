import { PDFDataRangeTransport } from 'pdfjs-dist';
import { readFile } from '#web/api/read-file.ts';

/** Bytes per range: if a PDF lists all its pages in one place, opening it reads a part of each of them. */
export const RANGE = 256 * 1024;

/** Maximum read-ahead, in bytes. */
const READ_AHEAD_BYTES = 4 * 1024 * 1024;

interface Part {
  readonly begin: number;
  readonly end: number;
  readonly bytes: Promise<Uint8Array>;
}

/**
 * A file whose parts are read on demand; sequential reads, such as opening a file with all pages in one list, read
 * larger parts.
 */
export class PdfRanges extends PDFDataRangeTransport {
  /** Rejects with the service's error about a part of the file. */
  readonly failed: Promise<never>;
  readonly #address: string;
  readonly #size: number;
  readonly #stop = new AbortController();
  readonly #fail: (error: unknown) => void;
  /** the first and the last part read */
  readonly #start: Part;
  #last: Part;
  /** the next part, which is read in advance */
  #coming: Part | null = null;
  #ahead = 0;

  /** @param start the first bytes, already read */
  constructor(address: string, size: number, start: ArrayBuffer) {
    super(size, null);
    this.#address = address;
    this.#size = size;
    const bytes = Promise.resolve(new Uint8Array(start));
    this.#start = { begin: 0, end: start.byteLength, bytes };
    this.#last = this.#start;
    const { promise, reject } = Promise.withResolvers<never>();
    promise.catch(() => undefined);
    this.failed = promise;
    this.#fail = reject;
  }

  override requestDataRange(begin: number, end: number): void {
    this.#read(begin, end).then(
      (bytes) => this.onDataRange(begin, bytes),
      (error: unknown) => this.#fail(error),
    );
  }

  override abort(): void {
    this.#stop.abort();
  }

  /** Bytes read beyond `end` are passed on, so that they are not requested again. */
  async #read(begin: number, end: number): Promise<Uint8Array> {
    const part = this.#held(begin, end) ?? this.#next(begin, end);
    return (await part.bytes).slice(begin - part.begin);
  }

  #held(begin: number, end: number): Part | undefined {
    const held = [this.#start, this.#last, this.#coming].find(
      (part) => part && part.begin <= begin && end <= part.end,
    );
    if (held && held === this.#coming) this.#goOn(held);
    return held ?? undefined;
  }

  #next(begin: number, end: number): Part {
    const isSequential = begin >= this.#last.end && begin - this.#last.end <= RANGE + this.#ahead;
    this.#ahead = isSequential
      ? Math.min(READ_AHEAD_BYTES, Math.max(end - begin, this.#ahead * 2))
      : 0;
    const part = this.#request(begin, end + this.#ahead);
    this.#goOn(part);
    return part;
  }

  /** A sequential read continues while the PDF reader processes the present part. */
  #goOn(part: Part): void {
    this.#last = part;
    const more = this.#ahead > RANGE && part.end < this.#size;
    this.#coming = more ? this.#request(part.end, part.end + READ_AHEAD_BYTES) : null;
  }

  #request(begin: number, end: number): Part {
    const until = Math.min(this.#size, end);
    const { signal } = this.#stop;
    const read = readFile(this.#address, { signal, range: { begin, end: until } });
    const bytes = read.then((file) => new Uint8Array(file.bytes));
    // The part may never be used.
    bytes.catch(() => undefined);
    return { begin, end: until, bytes };
  }
}
