import type { Readable } from 'node:stream';
import { openPromise, type Entry, type ZipFile } from 'yauzl';

/** A workbook has some dozens of parts: sheets, styles, pictures. */
const MAX_PARTS = 10_000;
/** Bytes of a part, unpacked. */
const MAX_SIZE = 512 * 1024 * 1024;

/** The parts of a zip file. */
export class ZipParts {
  readonly #zip: ZipFile;
  readonly #entries: readonly Entry[];

  private constructor(zip: ZipFile, entries: readonly Entry[]) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** @throws {Error} if the directory of the file cannot be read, or names too many parts */
  static async open(path: string): Promise<ZipParts> {
    const zip = await openPromise(path, { autoClose: false });
    if (zip.entryCount > MAX_PARTS) throw new Error('The file has too many parts.');
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) entries.push(entry);
    return new ZipParts(zip, entries);
  }

  /**
   * The unpacked bytes of a part; undefined if there is none of this name. The stream fails if there are more bytes than
   * the directory declares.
   * @throws {Error} if the part is too large
   */
  async stream(name: string): Promise<Readable | undefined> {
    const entry = this.#entries.findLast(({ fileName }) => fileName === name);
    if (entry && entry.uncompressedSize > MAX_SIZE) throw new Error(`${name} is too large.`);
    return entry && this.#zip.openReadStreamPromise(entry);
  }

  close(): void {
    this.#zip.close();
  }
}
