import type { Readable } from 'node:stream';

/** Bytes of a file, first and last included. */
export interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** Bytes that support range requests. */
export interface RangedBytes {
  readonly size: number;
  /** a strong entity tag */
  readonly etag: string;
  open(range?: ByteRange): Promise<Readable>;
  /** The headers that depend on the first bytes. */
  readonly startHeaders?: {
    /** the number of bytes needed */
    readonly bytes: number;
    readonly of: (start: Buffer) => Readonly<Record<string, string>>;
  };
}

/** The part of the bytes that the request's headers select (RFC 9110, sections 13.1.2, 13.1.5 and 14). */
export function choosePart(
  { size, etag }: RangedBytes,
  headers: {
    readonly range?: string | undefined;
    readonly 'if-range'?: string | string[] | undefined;
    readonly 'if-none-match'?: string | undefined;
  },
): { status: 200 } | { status: 206; range: ByteRange } | { status: 304 } | { status: 416 } {
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known?.some((tag) => tag === etag || tag === '*')) return { status: 304 };
  const unchanged = headers['if-range'] === undefined || headers['if-range'] === etag;
  const range = unchanged ? readRange(headers.range ?? null, size) : 'whole';
  if (range === 'whole') return { status: 200 };
  return range === 'unsatisfiable' ? { status: 416 } : { status: 206, range };
}

/**
 * Parses a `Range` header (RFC 9110, section 14.2): `whole` if there is none, or it has an unsupported form (several
 * ranges, another unit) or is invalid; `unsatisfiable` if it starts after the end.
 * @param size bytes of the file
 */
function readRange(header: string | null, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const match = /^bytes=([0-9]*)-([0-9]*)$/.exec(header ?? '');
  if (!match) return 'whole';
  const [, from = '', to = ''] = match;
  if (from === '') {
    if (to === '') return 'whole';
    const length = Math.min(Number(to), size);
    return length === 0 ? 'unsatisfiable' : { first: size - length, last: size - 1 };
  }
  const first = Number(from);
  const last = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < first) return 'whole';
  return first < size ? { first, last } : 'unsatisfiable';
}
