import { gzipSync } from 'node:zlib';

/** Below this size compression saves hardly anything, and headers weigh more. */
export const MIN_COMPRESSED_BYTES = 1_000;
/** Half a millisecond for a page of a list, in a separate thread; higher levels gain one percent. */
export const COMPRESSION_LEVEL = 5;
const encoder = new TextEncoder();

/** JSON that one thread transfers to another. */
export interface JsonBytes {
  /** UTF-8, in a separate buffer */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly isGzipped: boolean;
}

/**
 * Serializes JSON, in a thread that answers no other requests.
 * @param compress compresses it if it is large enough
 */
export function writeJson(value: object, compress: boolean): JsonBytes {
  const bytes = encoder.encode(JSON.stringify(value));
  if (!compress || bytes.length < MIN_COMPRESSED_BYTES) return { bytes, isGzipped: false };
  return { bytes: new Uint8Array(gzipSync(bytes, { level: COMPRESSION_LEVEL })), isGzipped: true };
}

export function isJsonBytes(value: unknown): value is JsonBytes {
  return typeof value === 'object' && value !== null && 'isGzipped' in value && 'bytes' in value;
}
