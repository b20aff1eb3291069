import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fromBufferPromise, type Entry, type ZipFile } from 'yauzl';

/** The maximum expansion factor of deflate (RFC 1951: a match of 258 bytes in two bits). */
const MAX_RATIO = 1_032;

/** Where a tag of XML begins. */
const TAG = '<'.charCodeAt(0);

/** A workbook has some dozens of parts: sheets, styles, pictures. */
const MAX_PARTS = 10_000;

/** The parts of a zip file in memory. */
export class ZipParts {
  readonly #zip: ZipFile;
  readonly #entries: readonly Entry[];

  private constructor(zip: ZipFile, entries: readonly Entry[]) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** @throws {Error} if the directory of the file cannot be read, or names too many parts */
  static async open(file: Buffer): Promise<ZipParts> {
    const zip = await fromBufferPromise(file);
    if (zip.entryCount > MAX_PARTS) throw new Error('The file has too many parts.');
    const entries: Entry[] = [];
    for await (const entry of zip.eachEntry()) entries.push(entry);
    return new ZipParts(zip, entries);
  }

  /**
   * Checks that no part unpacks to more bytes than allowed, whatever its header says: a small file can unpack to
   * thousands of times its size.
   * @param limitOf the maximum size of a part with this name, in bytes
   * @throws {Error} also if a large part cannot be unpacked, or does not have the declared size
   */
  async checkSizes(limitOf: (name: string) => number): Promise<void> {
    for (const entry of this.#entries) {
      const limit = limitOf(entry.fileName);
      if (entry.compressedSize * MAX_RATIO <= limit) continue;
      if (entry.uncompressedSize > limit) throw new Error(`${entry.fileName} is too large.`);
      // The stream fails if there are more bytes than declared.
      for await (const _ of await this.#zip.openReadStreamPromise(entry));
    }
  }

  /**
   * Checks that no XML tag, and no text between two tags, is longer than allowed: readers keep each completely in
   * memory.
   * @param isXml whether a part with this name is parsed as XML
   * @param limit bytes
   * @throws {Error} also if a part cannot be unpacked
   */
  async checkTexts(isXml: (name: string) => boolean, limit: number): Promise<void> {
    for (const entry of this.#entries) {
      if (!isXml(entry.fileName) || entry.compressedSize * MAX_RATIO <= limit) continue;
      let sinceTag = 0;
      for await (const chunk of await this.#zip.openReadStreamPromise(entry)) {
        if (!Buffer.isBuffer(chunk)) continue;
        const first = chunk.indexOf(TAG);
        sinceTag += first < 0 ? chunk.length : first;
        if (sinceTag > limit) throw new Error(`${entry.fileName} holds too long a text.`);
        if (first >= 0) sinceTag = chunk.length - chunk.lastIndexOf(TAG);
      }
    }
  }

  /** The unpacked bytes of a part; undefined if there is none of this name. */
  async stream(name: string): Promise<Readable | undefined> {
    const entry = this.#entries.findLast(({ fileName }) => fileName === name);
    return entry && this.#zip.openReadStreamPromise(entry);
  }

  /** The whole text of a part; '' if there is none of this name. */
  async text(name: string): Promise<string> {
    const stream = await this.stream(name);
    return stream ? text(stream) : '';
  }
}
