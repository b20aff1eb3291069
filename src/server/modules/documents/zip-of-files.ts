import { hash } from 'node:crypto';
import { PassThrough, pipeline, Readable } from 'node:stream';
import yazl from 'yazl';
import type { ByteRange, RangedBytes } from '#server/http/byte-range.ts';
import type { FileStore } from '../files/file-store.ts';
import type { StoredFile } from '../files/files.service.ts';

/**
 * All files as one zip. They are not compressed: scans hardly shrink, and the length is known before anything is read, so
 * that clients show the progress and continue downloads. A range reads the files from the first one.
 * @param date the modification time of the files in the zip
 */
export function zipOf(store: FileStore, files: readonly StoredFile[], date: Date): RangedBytes {
  const names = uniqueNames(files);
  // A zip has local times too.
  const content = [
    date.getTime(),
    date.getTimezoneOffset(),
    names,
    files.map((file) => file.sha256),
  ];
  const digest = hash('sha256', JSON.stringify(content), 'hex');
  return {
    size: sizeOfZip(files, names, date),
    etag: `"${digest}"`,
    async open(range) {
      const bytes = await openZip(store, files, names, date);
      return range ? Readable.from(inRange(bytes, range)) : bytes;
    },
  };
}

/** @param add adds the bytes of a file; called once per file, in their order */
function newZip(
  files: readonly StoredFile[],
  names: readonly string[],
  mtime: Date,
  add: (file: StoredFile, done: (error: null, bytes: Readable) => void) => void,
): yazl.ZipFile {
  const zip = new yazl.ZipFile();
  for (const [i, file] of files.entries()) {
    const options = { size: file.size, mtime, compress: false };
    zip.addReadStreamLazy(names[i] ?? '', options, (done) => add(file, done));
  }
  return zip;
}

function sizeOfZip(files: readonly StoredFile[], names: readonly string[], date: Date): number {
  // No file is opened for the size.
  const zip = newZip(files, names, date, () => undefined);
  let size: unknown;
  // The library's types do not have the argument.
  zip.end(endOptions(names), (...given: unknown[]) => {
    [size] = given;
  });
  if (typeof size !== 'number' || size < 0) throw new Error('The size of a zip is not known.');
  return size;
}

/** @throws {ApiError} `unavailable` for the first file; later ones abort the response, which has begun */
async function openZip(
  store: FileStore,
  files: readonly StoredFile[],
  names: readonly string[],
  date: Date,
): Promise<Readable> {
  const [head] = files;
  const first = head && (await store.open(head.location));
  let current = first;
  const bytes = new PassThrough();
  const zip = newZip(files, names, date, (file, done) => {
    current = file === head && first ? first : Readable.from(bytesOf(store, file));
    // The zip stream does not handle it.
    current.once('error', (error) => bytes.destroy(error));
    done(null, current);
  });
  zip.once('error', (error: Error) => bytes.destroy(error));
  pipeline(zip.outputStream, bytes, () => current?.destroy());
  zip.end(endOptions(names));
  return bytes;
}

/** Without a comment, and with zip64 where the library's size expects it: it does so for a directory of 65,535 bytes. */
function endOptions(names: readonly string[]): yazl.EndOptions {
  const directory = names.reduce((sum, name) => sum + ENTRY_BYTES + Buffer.byteLength(name), 0);
  return { forceZip64Format: directory >= 0xffff, comment: '' };
}

/** The bytes of a file in the directory of a zip: of its record, with the time of modification, without the name. */
const ENTRY_BYTES = 46 + 9;

/** Opened when its first byte is read. */
async function* bytesOf(store: FileStore, { location }: StoredFile): AsyncGenerator {
  yield* await store.open(location);
}

async function* inRange(bytes: Readable, { first, last }: ByteRange): AsyncGenerator<Buffer> {
  let position = 0;
  for await (const chunk of bytes) {
    if (!Buffer.isBuffer(chunk)) continue;
    const part = chunk.subarray(Math.max(0, first - position), last + 1 - position);
    position += chunk.length;
    if (part.length > 0) yield part;
    if (position > last) return;
  }
}

/** The names, numbered where one is used before; compared without case, as on many file systems. */
function uniqueNames(files: readonly StoredFile[]): string[] {
  const taken = new Set<string>();
  return files.map((file) => {
    // A zip has no names with a drive, and a backslash separates folders in it.
    const name = file.name.replaceAll('\\', '_').replace(/^([A-Za-z]):/, '$1_');
    let free = name;
    for (let number = 2; taken.has(free.toLowerCase()); number++) {
      free = name.replace(/(\.[^.]*)?$/, ` (${number})$1`);
    }
    taken.add(free.toLowerCase());
    return free;
  });
}
