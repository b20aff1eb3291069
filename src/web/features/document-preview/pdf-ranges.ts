import { PDFDataRangeTransport } from 'pdfjs-dist';
import { readFile } from '#web/api/bytes.ts';

/** Bytes of one range: where a PDF lists all its pages in one place, opening it reads something of each of them. */
export const RANGE = 256 * 1024;

/** As far as it reads ahead, in bytes. */
const AHEAD = 4 * 1024 * 1024;

interface Part {
  readonly begin: number;
  readonly end: number;
  readonly bytes: Promise<Uint8Array>;
}

/**
 * A file that is read as its parts are wanted; the more at once, the longer it is read from front to back, as one
 * whose pages all stand in one list is when it is opened.
 */
export class PdfRanges extends PDFDataRangeTransport {
  /** Rejects with what the service has against a part of the file. */
  readonly failed: Promise<never>;
  readonly #address: string;
  readonly #size: number;
  readonly #stop = new AbortController();
  readonly #fail: (error: unknown) => void;
  /** what was read at first, and last */
  readonly #start: Part;
  #last: Part;
  /** what follows the last, read while that is being used */
  #coming: Part | null = null;
  #ahead = 0;

  /** @param start the first bytes, which are read already */
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

  /** What was read beyond `end` comes along: it is not asked for once more. */
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
    const onward = begin >= this.#last.end && begin - this.#last.end <= RANGE + this.#ahead;
    this.#ahead = onward ? Math.min(AHEAD, Math.max(end - begin, this.#ahead * 2)) : 0;
    const part = this.#fetch(begin, end + this.#ahead);
    this.#goOn(part);
    return part;
  }

  /** One that is read from front to back is read on while the reader of PDFs works on what it has. */
  #goOn(part: Part): void {
    this.#last = part;
    const more = this.#ahead > RANGE && part.end < this.#size;
    this.#coming = more ? this.#fetch(part.end, part.end + AHEAD) : null;
  }

  #fetch(begin: number, end: number): Part {
    const until = Math.min(this.#size, end);
    const { signal } = this.#stop;
    const read = readFile(this.#address, { signal, range: { begin, end: until } });
    const bytes = read.then((file) => new Uint8Array(file.bytes));
    // Nobody may come to want it.
    bytes.catch(() => undefined);
    return { begin, end: until, bytes };
  }
}
