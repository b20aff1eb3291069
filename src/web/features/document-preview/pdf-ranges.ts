import { PDFDataRangeTransport } from 'pdfjs-dist';
import { readFile } from '#web/api/bytes.ts';

/** Bytes of one range: where a PDF lists all its pages in one place, opening it reads something of each of them. */
export const RANGE = 256 * 1024;

/** A file that is read as its parts are wanted. */
export class PdfRanges extends PDFDataRangeTransport {
  /** Rejects with what the service has against a part of the file. */
  readonly failed: Promise<never>;
  readonly #address: string;
  readonly #start: Uint8Array;
  readonly #stop = new AbortController();
  readonly #fail: (error: unknown) => void;

  /** @param start the first bytes, which are read already */
  constructor(address: string, size: number, start: ArrayBuffer) {
    super(size, null);
    this.#address = address;
    this.#start = new Uint8Array(start);
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

  async #read(begin: number, end: number): Promise<Uint8Array> {
    if (end <= this.#start.length) return this.#start.slice(begin, end);
    const { signal } = this.#stop;
    const { bytes } = await readFile(this.#address, { signal, range: { begin, end } });
    return new Uint8Array(bytes);
  }
}
