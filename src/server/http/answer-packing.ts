import { createHash } from 'node:crypto';
import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import * as z from 'zod';
import type { Transaction } from '#server/database/database.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { StoredAnswer } from '#server/database/stored-responses.ts';
import type { Scalar } from '#shared/values/values.ts';

/** Bodies of fewer characters are stored as they are. */
const PACKED_FROM = 1_024;
/** Texts of so many characters are not stored in an answer: the record or its history holds them. */
const REFERENCED_FROM = 1_024;

/** A value that a record had in one of its versions. */
export interface ValueReference {
  readonly id: number;
  readonly version: number;
  /** of the index field or column */
  readonly name: string;
}

/** Reads values as they were; undefined where one is not known any more. In the order of the references. */
export type ReadValuesAt = (
  db: Transaction,
  collection: Collection,
  references: readonly ValueReference[],
) => Promise<(Scalar | undefined)[]>;

type PackedBody = Pick<StoredAnswer, 'encoding' | 'body'>;

const headSchema = z.object({
  references: z.array(z.tuple([z.number(), z.number(), z.string()])),
  /** SHA-256 of the whole body; null where nothing of it is referred to */
  digest: z.nullable(z.string()),
});
type Head = z.infer<typeof headSchema>;

/** Stands for a referenced value. No JSON holds it: there it is written as an escape sequence. */
const GAP = '\u0000';

/**
 * Makes the body of an answer as small as an exact copy can be: large texts of records are replaced by references, the
 * rest is compressed.
 * @param body JSON
 * @param records whose values the body holds, in its order
 */
export function packBody(
  body: string | null,
  collection: Collection | null,
  records: readonly StoredRecord[],
): PackedBody {
  if (body === null || body.length < PACKED_FROM) return { encoding: 'text', body };
  const references: Head['references'] = [];
  const texts: string[] = [];
  let at = 0;
  for (const { id, version, values } of records) {
    for (const [place, { name }] of (collection?.fields ?? []).entries()) {
      const value = values[place];
      if (typeof value !== 'string' || value.length < REFERENCED_FROM) continue;
      const written = JSON.stringify(value);
      const found = body.indexOf(written, at);
      if (found < 0) continue;
      references.push([id, version, name]);
      texts.push(body.slice(at, found));
      at = found + written.length;
    }
  }
  texts.push(body.slice(at));
  const head: Head = { references, digest: references.length > 0 ? digestOf(body) : null };
  const packed = zstdCompressSync(`${JSON.stringify(head)}\n${texts.join(GAP)}`, FAST);
  return { encoding: 'zstd', body: packed.toString('base64') };
}

/** Ten times as fast as the default of other formats, at half their size: a save waits for it. */
const FAST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };

/** The body that was packed; undefined where it, or a value of it, is not known any more. */
export async function unpackBody(
  db: Transaction,
  collection: Collection | null,
  { encoding, body }: PackedBody,
  readValuesAt: ReadValuesAt,
): Promise<string | null | undefined> {
  if (encoding === 'purged') return undefined;
  if (encoding === 'text' || body === null) return body;
  const text = zstdDecompressSync(Buffer.from(body, 'base64')).toString();
  const end = text.indexOf('\n');
  const { references, digest } = headSchema.parse(JSON.parse(text.slice(0, end)));
  const texts = text.slice(end + 1).split(GAP);
  if (!collection || references.length === 0) return texts.join('');
  const values = await readValuesAt(
    db,
    collection,
    references.map(([id, version, name]) => ({ id, version, name })),
  );
  const whole = texts.map((piece, i) =>
    i < values.length ? piece + JSON.stringify(values[i] ?? null) : piece,
  );
  const unpacked = whole.join('');
  return digestOf(unpacked) === digest ? unpacked : undefined;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
