import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Config } from '#server/config.ts';
import type { ByteRange } from '#server/http/byte-range.ts';
import type { Digest } from '#server/file-bytes.ts';
import { directoryStore } from './directory-store.ts';
import { s3Store } from './s3-store.ts';

/** A file that was received and flushed to disk under `incomingDir`. */
export interface Incoming extends Digest {
  readonly path: string;
}

/**
 * The bytes of documents' files, which any number of processes share. They are named by their SHA-256: the
 * same bytes are kept once, a file once written never changes, and what a request that came to nothing has
 * left is what the next one with the same bytes finds.
 */
export interface FileStore {
  /** where uploads are received, to be kept or removed when their request ends */
  readonly incomingDir: string;
  /**
   * Keeps a file's bytes; resolves only when they outlive a crash. Whether the file at the path is still there
   * afterwards is open.
   * @returns where they are kept, for `open`
   * @throws {ApiError} `unavailable`
   */
  keep(file: Incoming): Promise<string>;
  /**
   * Reads what `keep` has kept.
   * @throws {MissingFileError} where it is not there
   * @throws {ApiError} `unavailable`
   */
  open(location: string, range?: ByteRange): Promise<Readable>;
  /**
   * How many bytes there are of what `keep` has kept; null: it is not there.
   * @throws {ApiError} `unavailable`
   */
  size(location: string): Promise<number | null>;
  /** @throws {Error} for the administrator, where bytes cannot be stored and read back */
  check(): Promise<void>;
  /** Removes what requests have left half done that began before a time (milliseconds since 1970). */
  sweep(before: number): Promise<void>;
}

/** The store of the settings; nothing is read or written yet. */
export function openFileStore({ files, dataDir }: Pick<Config, 'files' | 'dataDir'>): FileStore {
  return typeof files === 'object'
    ? s3Store(files, join(dataDir, 'incoming'))
    : directoryStore(files ?? join(dataDir, 'files'));
}
