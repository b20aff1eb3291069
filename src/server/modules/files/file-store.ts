import type { Readable } from 'node:stream';
import type { ByteRange } from '#server/http/byte-range.ts';
import type { Digest } from '#server/lib/file-bytes.ts';

/** A file that was received and flushed to disk under `incomingDir`. */
export interface Incoming extends Digest {
  readonly path: string;
}

/**
 * The bytes of documents' files, shared by any number of processes. They are named by their SHA-256: equal content is stored
 * once, a stored file never changes, and the file of a failed request is used by the next one with the same content.
 */
export interface FileStore {
  /** the directory of uploads, which are stored or removed when their request ends */
  readonly incomingDir: string;
  /**
   * Stores a file's bytes; resolves when they are durable. The file at the path may be moved.
   * @returns their location, for `open`
   * @throws {ApiError} `unavailable`
   */
  put(file: Incoming): Promise<string>;
  /**
   * Reads a stored file.
   * @throws {MissingFileError} if it does not exist
   * @throws {ApiError} `unavailable`
   */
  open(location: string, range?: ByteRange): Promise<Readable>;
  /**
   * The size of a stored file in bytes; null: it does not exist.
   * @throws {ApiError} `unavailable`
   */
  size(location: string): Promise<number | null>;
  /**
   * Removes a file; a missing one is not an error.
   * @throws {ApiError} `unavailable`
   */
  remove(location: string): Promise<void>;
  /** @throws {Error} for the administrator, if bytes cannot be stored and read back */
  check(): Promise<void>;
  /** Removes incomplete uploads that began before a time (milliseconds since 1970). */
  sweep(before: number): Promise<void>;
}

/** The location of a stored file, by its SHA-256 in hexadecimal digits. */
export function locationOf(sha256: string): string {
  return `${sha256.slice(0, 2)}/${sha256}`;
}
