import { hash } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import * as z from 'zod';
import type { Transaction } from '#server/database/database.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { StoredAnswer } from '#server/database/stored-responses.ts';
import type { Scalar } from '#shared/values/value-type.ts';

/** Shorter bodies are stored uncompressed. */
const MIN_COMPRESSED_LENGTH = 1_024;
/** Texts of at least this many characters are not stored in an answer, because the record or its history has them. */
const MIN_REFERENCED_LENGTH = 1_024;

/** A value that a record had in one of its versions. */
export interface ValueReference {
  readonly id: number;
  readonly version: number;
  /** of the index field or column */
  readonly name: string;
}

/** Reads former values; undefined for a value that is no longer known. In the order of the references. */
export type ReadValuesAt = (
  db: Transaction,
  collection: Collection,
  references: readonly ValueReference[],
) => Promise<(Scalar | undefined)[]>;

type EncodedBody = Pick<StoredAnswer, 'encoding' | 'body'>;

const headSchema = z.object({
  references: z.array(z.tuple([z.number(), z.number(), z.string()])),
  /** SHA-256 of the whole body; null if it contains no references */
  digest: z.nullable(z.string()),
});
type Head = z.infer<typeof headSchema>;

/** Placeholder of a referenced value. JSON never contains this character literally, only as an escape sequence. */
const PLACEHOLDER = '\u0000';

/**
 * Encodes the body of a stored answer without losing a byte: large texts of records are replaced by references, the rest is
 * compressed.
 * @param body JSON
 * @param records whose values the body contains, in its order
 */
export function encodeStoredBody(
  body: string | null,
  collection: Collection | null,
  records: readonly StoredRecord[],
): EncodedBody {
  if (body === null || body.length < MIN_COMPRESSED_LENGTH) return { encoding: 'text', body };
  const references: Head['references'] = [];
  const texts: string[] = [];
  let end = 0;
  for (const { id, version, values } of records) {
    for (const [index, { name }] of (collection?.fields ?? []).entries()) {
      const value = values[index];
      if (typeof value !== 'string' || value.length < MIN_REFERENCED_LENGTH) continue;
      const json = JSON.stringify(value);
      const found = body.indexOf(json, end);
      if (found < 0) continue;
      references.push([id, version, name]);
      texts.push(body.slice(end, found));
      end = found + json.length;
    }
  }
  texts.push(body.slice(end));
  const head: Head = { references, digest: references.length > 0 ? digestOf(body) : null };
  const compressed = zstdCompressSync(
    `${JSON.stringify(head)}\n${texts.join(PLACEHOLDER)}`,
    FAST_COMPRESSION,
  );
  return { encoding: 'zstd', body: compressed.toString('base64') };
}

/** Ten times as fast as the default of other formats, at half their size: saving a record waits for it. */
const FAST_COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The decoded body; undefined if it, or a value in it, is no longer known. */
export async function decodeStoredBody(
  db: Transaction,
  collection: Collection | null,
  { encoding, body }: EncodedBody,
  readValuesAt: ReadValuesAt,
): Promise<string | null | undefined> {
  if (encoding === 'purged') return undefined;
  if (encoding === 'text' || body === null) return body;
  const text = zstdDecompressSync(Buffer.from(body, 'base64')).toString();
  const end = text.indexOf('\n');
  const { references, digest } = headSchema.parse(JSON.parse(text.slice(0, end)));
  const texts = text.slice(end + 1).split(PLACEHOLDER);
  if (!collection || references.length === 0) return texts.join('');
  const values = await readValuesAt(
    db,
    collection,
    references.map(([id, version, name]) => ({ id, version, name })),
  );
  const whole = texts.map((piece, i) =>
    i < values.length ? piece + JSON.stringify(values[i] ?? null) : piece,
  );
  const decoded = whole.join('');
  return digestOf(decoded) === digest ? decoded : undefined;
}

function digestOf(text: string): string {
  return hash('sha256', text, 'base64url');
}
