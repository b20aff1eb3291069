import { sql } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { isUnleased, leaseOf, NO_LEASE, releaseLeases } from '#server/database/leases.ts';
import { chunks, READ_CHUNK_SIZES } from '#server/database/records/bulk-statements.ts';
import type { StoredFile } from '../files/files.service.ts';

/** A file whose text is to be extracted. */
export type ExtractableFile = Pick<StoredFile, 'sha256' | 'location' | 'contentType'>;

/** The extracted text of a file. */
export type Extracted =
  | {
      /** folded, with a form feed between pages; '': the file has no text */
      readonly text: string;
      /** whether the file has more */
      readonly isCut: boolean;
    }
  | { readonly problem: Problem };

/** Why a file has no extracted text. */
export type Problem =
  | 'unreadable'
  | 'protected'
  | 'timeout'
  | 'memory'
  | 'too large'
  | 'missing'
  | 'crashed';

/** A file during whose extraction this many processes ended is skipped. */
const MAX_ATTEMPTS = 3;

const TEXTUAL = /^(?:application\/pdf|text\/(?:plain|csv|markdown))\s*(?:;|$)/iu;

/** Whether files of a type may contain text. */
export function isTextual({ contentType }: { readonly contentType: string }): boolean {
  return TEXTUAL.test(contentType);
}

/** Queues files for extraction whose texts are missing. */
export async function queueTexts(
  db: Transaction,
  files: readonly ExtractableFile[],
): Promise<void> {
  const rows = files.filter(isTextual).map(({ sha256, location, contentType }) => ({
    sha256,
    location,
    content_type: contentType,
    state: 'due' as const,
    attempts: 0,
    ...NO_LEASE,
    text: null,
    is_cut: 0,
    problem: null,
  }));
  for (const some of chunks(rows, 100)) {
    await db.k
      .insertInto('file_texts')
      .values([...some])
      .onConflict((conflict) => conflict.column('sha256').doNothing())
      .execute();
  }
}

/** The files of an archive after an id, in the order of their ids; those of deleted revisions included. */
export async function readSourcesAfter(
  db: Transaction,
  archiveId: number,
  after: number,
  limit: number,
): Promise<(ExtractableFile & { readonly id: number })[]> {
  return db.k
    .selectFrom('files')
    .select(['id', 'sha256', 'location', 'content_type as contentType'])
    .where('archive_id', '=', archiveId)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** The known text of a file. */
export interface KnownText {
  /** '': it has none */
  readonly text: string;
  readonly isCut: boolean;
}

/** The texts of files by their digests; those that are still to be extracted are missing. */
export async function readTexts(
  db: Transaction,
  digests: readonly string[],
): Promise<Map<string, KnownText>> {
  const texts = new Map<string, KnownText>();
  for (const some of chunks(digests, READ_CHUNK_SIZES)) {
    const rows = await db.k
      .selectFrom('file_texts')
      .select(['sha256', 'text', 'is_cut'])
      .where('sha256', 'in', [...some])
      .where('state', '!=', 'due')
      .execute();
    for (const row of rows)
      texts.set(row.sha256, { text: row.text ?? '', isCut: row.is_cut === 1 });
  }
  return texts;
}

/** Whether texts wait for extraction that no other process has leased. */
export async function hasDueTexts(db: Transaction): Promise<boolean> {
  const row = await dueTexts(db).select('sha256').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Without those of this process: what it could neither store nor release would count as one more attempt at once. */
function dueTexts(db: Transaction) {
  return db.k.selectFrom('file_texts').where('state', '=', 'due').where(isUnleased());
}

/**
 * Takes the lease of some texts for extraction. Texts during whose extraction a process ended are returned one at a
 * time.
 * @param duration of the lease, in milliseconds
 */
export async function claimTexts(
  db: Transaction,
  owner: string,
  count: number,
  duration: number,
): Promise<ExtractableFile[]> {
  const rows = await dueTexts(db)
    .select(['sha256', 'location', 'content_type as contentType', 'attempts'])
    .orderBy('attempts')
    .limit(count)
    .execute();
  const [first] = rows;
  const claimed = first && first.attempts > 0 ? [first] : rows.filter((row) => row.attempts === 0);
  const sources: ExtractableFile[] = [];
  for (const { attempts, ...source } of claimed) {
    if (attempts >= MAX_ATTEMPTS) {
      await storeText(db, source.sha256, { problem: 'crashed' });
      continue;
    }
    const { numUpdatedRows } = await db.k
      .updateTable('file_texts')
      .set({ attempts: attempts + 1, ...leaseOf(owner, duration) })
      .where('sha256', '=', source.sha256)
      .where('state', '=', 'due')
      .where(isUnleased())
      .executeTakeFirst();
    if (numUpdatedRows > 0n) sources.push(source);
  }
  return sources;
}

/** @param owner null: of any process, if there can be no other; what it had begun then counts as an attempt */
export async function releaseTexts(db: Transaction, owner: string | null): Promise<void> {
  if (owner !== null) {
    await db.k
      .updateTable('file_texts')
      .set({ attempts: sql`attempts - 1` })
      .where('state', '=', 'due')
      .where('lease_owner', '=', owner)
      .execute();
  }
  await releaseLeases(db, 'file_texts', owner);
}

/** Stores the extracted text of a file, for comparison with its records. */
export async function storeText(
  db: Transaction,
  sha256: string,
  extracted: Extracted,
): Promise<void> {
  const found =
    'problem' in extracted
      ? { text: null, is_cut: 0, problem: extracted.problem }
      : { text: extracted.text, is_cut: extracted.isCut ? 1 : 0, problem: null };
  await db.k
    .updateTable('file_texts')
    .set({ ...found, state: 'extracted', ...NO_LEASE })
    .where('sha256', '=', sha256)
    .execute();
}

/** The digests of extracted texts that were not compared with records yet. */
export async function readExtracted(
  db: Transaction,
  limit: number,
): Promise<Pick<ExtractableFile, 'sha256' | 'location'>[]> {
  return db.k
    .selectFrom('file_texts')
    .select(['sha256', 'location'])
    .where('state', '=', 'extracted')
    .limit(limit)
    .execute();
}

export async function markCompared(db: Transaction, digests: readonly string[]): Promise<void> {
  await db.k
    .updateTable('file_texts')
    .set({ state: 'compared' })
    .where('sha256', 'in', [...digests])
    .where('state', '=', 'extracted')
    .execute();
}

/** The revisions with files at these locations, by archive, including deleted ones. */
export async function readRevisionsWith(
  db: Transaction,
  locations: readonly string[],
): Promise<Map<number, number[]>> {
  const rows = await db.k
    .selectFrom('files')
    .select(['archive_id', 'row_id'])
    .distinct()
    .where('location', 'in', [...locations])
    .execute();
  const byArchive = Map.groupBy(rows, ({ archive_id }) => archive_id);
  return new Map([...byArchive].map(([id, files]) => [id, files.map(({ row_id }) => row_id)]));
}

/** Deletes the texts of files whose bytes are removed. */
export async function deleteTexts(db: Transaction, locations: readonly string[]): Promise<void> {
  await db.k
    .deleteFrom('file_texts')
    .where(
      'sha256',
      'in',
      locations.map((location) => location.slice(location.indexOf('/') + 1)),
    )
    .execute();
}
