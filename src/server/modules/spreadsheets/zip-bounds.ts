import { createInflateRaw } from 'node:zlib';

/** The most that deflate makes of one byte (RFC 1951: a match of 258 bytes in two bits). */
const LARGEST_RATIO = 1_032;
const END_SIGNATURE = 0x06054b50;
const ENTRY_SIGNATURE = 0x02014b50;
const END_BYTES = 22;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const LONGEST_COMMENT = 0xffff;

export interface ZipEntry {
  readonly name: string;
  /** whether its bytes stand there as they are */
  readonly stored: boolean;
  /** of its compressed bytes in the file */
  readonly start: number;
  readonly compressed: number;
}

/**
 * Whether no part of a zip file unpacks to more bytes than allowed, whatever the file says of itself: a small file
 * can unpack to thousands of times its size.
 * @param limitOf the most bytes that a part of this name may have
 * @returns false also where the directory of the file cannot be read
 */
export async function isWithinBounds(
  file: Buffer,
  limitOf: (name: string) => number,
): Promise<boolean> {
  const entries = readDirectory(file);
  if (!entries) return false;
  for (const { name, start, compressed } of entries) {
    const limit = limitOf(name);
    if (compressed * LARGEST_RATIO <= limit) continue;
    if ((await unpackedSize(file.subarray(start, start + compressed), limit)) > limit) return false;
  }
  return true;
}

/** The parts of a zip file by its central directory (APPNOTE 4.3.12); null where there is none, or one of ZIP64. */
export function readDirectory(file: Buffer): ZipEntry[] | null {
  const from = Math.max(0, file.length - END_BYTES - LONGEST_COMMENT);
  let end = file.length - END_BYTES;
  while (end >= from && file.readUInt32LE(end) !== END_SIGNATURE) end -= 1;
  if (end < from || end < 0) return null;
  const entries: ZipEntry[] = [];
  let at = file.readUInt32LE(end + 16);
  for (let left = file.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (at + ENTRY_BYTES > file.length || file.readUInt32LE(at) !== ENTRY_SIGNATURE) return null;
    const compressed = file.readUInt32LE(at + 20);
    const nameLength = file.readUInt16LE(at + 28);
    const local = file.readUInt32LE(at + 42);
    if (local + LOCAL_BYTES > file.length) return null;
    const start =
      local + LOCAL_BYTES + file.readUInt16LE(local + 26) + file.readUInt16LE(local + 28);
    const name = file.toString('latin1', at + ENTRY_BYTES, at + ENTRY_BYTES + nameLength);
    entries.push({ name, stored: file.readUInt16LE(at + 10) === 0, start, compressed });
    at += ENTRY_BYTES + nameLength + file.readUInt16LE(at + 30) + file.readUInt16LE(at + 32);
  }
  return entries;
}

/** Counts what a part unpacks to, no further than the limit; nothing of it is kept. */
function unpackedSize(compressed: Buffer, limit: number): Promise<number> {
  return new Promise((resolve) => {
    let size = 0;
    const inflate = createInflateRaw();
    inflate.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) inflate.destroy();
    });
    // A part that is not deflated has the size it has; a damaged one is for the reader to refuse.
    inflate.on('error', () => resolve(Math.max(size, compressed.length)));
    inflate.on('close', () => resolve(size));
    inflate.end(compressed);
  });
}
