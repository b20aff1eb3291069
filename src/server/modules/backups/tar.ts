import * as texts from '#messages/service/storage.ts';
import type { FileHandle } from 'node:fs/promises';

/*
 * POSIX tar (IEEE 1003.1, "pax Interchange Format"): blocks of 512 bytes, a header before each file, an
 * extended header where a size needs more than the 11 octal digits, two empty blocks at the end.
 */
const BLOCK = 512;
const MAX_OCTAL = 8 ** 11 - 1;

/** Writes a tar file from its beginning. */
export class TarWriter {
  readonly #file: FileHandle;
  #at = 0;

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /**
   * Adds a file.
   * @param size bytes, known in advance
   * @returns whether the content had that size; otherwise nothing was added
   */
  async add(name: string, size: number, content: AsyncIterable<Uint8Array>): Promise<boolean> {
    const begun = this.#at;
    if (size > MAX_OCTAL) {
      const record = paxSizeRecord(size);
      await this.#write(header('pax-header', record.length, 'x'));
      await this.#write(record);
      await this.#write(padding(record.length));
    }
    await this.#write(header(name, Math.min(size, MAX_OCTAL), '0'));
    let written = 0;
    for await (const chunk of content) {
      written += chunk.length;
      if (written > size) break;
      await this.#write(chunk);
    }
    if (written !== size) {
      await this.truncate(begun);
      return false;
    }
    await this.#write(padding(size));
    return true;
  }

  /** The position of the next file. */
  get position(): number {
    return this.#at;
  }

  /** Truncates the file to a position. */
  async truncate(position: number): Promise<void> {
    await this.#file.truncate(position);
    this.#at = position;
  }

  async end(): Promise<void> {
    await this.#write(new Uint8Array(2 * BLOCK));
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length;) {
      const { bytesWritten } = await this.#file.write(bytes, done, bytes.length - done, this.#at);
      done += bytesWritten;
      this.#at += bytesWritten;
    }
  }
}

/** A file in a tar file. */
export interface TarEntry {
  readonly name: string;
  readonly size: number;
  /** where its first byte is */
  readonly position: number;
}

/** The file is not a tar file, or is truncated. */
export class TarError extends Error {
  override readonly name = 'TarError';
}

/**
 * The files of a tar file in order, read only from its headers.
 * @throws {TarError}
 */
export async function* readTar(file: FileHandle): AsyncGenerator<TarEntry> {
  const { size: end } = await file.stat();
  let longSize: number | undefined;
  for (let at = 0; ;) {
    const block = await readExactly(file, at, BLOCK);
    if (block.every((byte) => byte === 0)) return;
    if (checksum(block) !== octal(block, CHECKSUM)) {
      throw new TarError(texts.notTar);
    }
    const ownSize = octal(block, SIZE);
    const position = at + BLOCK;
    const type = String.fromCharCode(block[TYPE] ?? 0);
    const size = type === 'x' ? ownSize : (longSize ?? ownSize);
    at = position + Math.ceil(size / BLOCK) * BLOCK;
    if (at > end) throw new TarError(texts.endsTooEarly);
    if (type === 'x') {
      longSize = paxSize(await readExactly(file, position, Math.min(size, BLOCK)));
      continue;
    }
    longSize = undefined;
    if (type !== '0') throw new TarError(texts.entryKindUnknown(type));
    const name = block.subarray(0, NAME_LENGTH).toString('utf8').replace(/\0.*$/s, '');
    yield { name, size, position };
  }
}

/** The bytes of a file of a tar file. */
export async function* bytesOf(file: FileHandle, entry: TarEntry): AsyncGenerator<Buffer> {
  const end = entry.position + entry.size;
  for (let at = entry.position; at < end; at += PIECE) {
    yield await readExactly(file, at, Math.min(PIECE, end - at));
  }
}

const PIECE = 256 * 1024;

async function readExactly(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  for (let done = 0; done < length;) {
    const { bytesRead } = await file.read(buffer, done, length - done, position + done);
    if (bytesRead === 0) throw new TarError(texts.endsTooEarly);
    done += bytesRead;
  }
  return buffer;
}

const NAME_LENGTH = 100;
const SIZE = { at: 124, length: 12 };
const CHECKSUM = { at: 148, length: 8 };
const TYPE = 156;

function header(name: string, size: number, type: '0' | 'x'): Buffer {
  if (Buffer.byteLength(name) > NAME_LENGTH) throw new TarError(texts.nameTooLong(name));
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0);
  block.write('0000600\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${octalText(size, 11)}\0`, SIZE.at);
  block.write(`${octalText(Math.floor(Date.now() / 1000), 11)}\0`, 136);
  block.write(type, TYPE);
  block.write('ustar\u000000', 257);
  block.write(`${octalText(checksum(block), 6)}\0 `, CHECKSUM.at);
  return block;
}

function octalText(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0');
}

/** The sum of the header's bytes, with spaces in the place of the sum itself. */
function checksum(block: Buffer): number {
  let sum = CHECKSUM.length * 0x20;
  for (const [i, byte] of block.entries()) {
    if (i < CHECKSUM.at || i >= CHECKSUM.at + CHECKSUM.length) sum += byte;
  }
  return sum;
}

function octal(block: Buffer, { at, length }: typeof SIZE): number {
  const text = block.toString('latin1', at, at + length).replace(/[\0 ]+$/, '');
  if (!/^[0-7]+$/.test(text)) throw new TarError(texts.notTar);
  return Number.parseInt(text, 8);
}

/** `LENGTH size=BYTES\n`, where LENGTH counts its own digits. */
function paxSizeRecord(bytes: number): Buffer {
  const rest = ` size=${bytes}\n`;
  let length = rest.length + 1;
  while (String(length).length + rest.length !== length) length += 1;
  return Buffer.from(`${length}${rest}`);
}

function paxSize(record: Buffer): number {
  const found = /^\d+ size=(\d+)\n/.exec(record.toString('latin1'));
  if (found?.[1] === undefined) throw new TarError(texts.headerKindUnknown);
  return Number(found[1]);
}

/** What fills the last block of a file of this many bytes. */
function padding(size: number): Uint8Array {
  return new Uint8Array((BLOCK - (size % BLOCK)) % BLOCK);
}
