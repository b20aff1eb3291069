import { sql } from 'kysely';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import type { Transaction } from '#server/database/database.ts';
import { chunks } from '#server/database/records/bulk-statements.ts';
import type { Check } from '#server/database/records/check.ts';
import { valueOnPage } from '#server/database/records/check-conditions.ts';
import type { Archive, Collection } from '#server/database/records/collection.ts';
import { tableName } from '#server/database/records/columns.ts';
import {
  readValuesAfter,
  readValuesOf,
  type RecordValues,
} from '#server/database/records/iterate-values.ts';
import { spellingsOf } from '#shared/checks/page-spellings.ts';
import { filesByRevision } from '../files/files.service.ts';
import { isTextual, queueTexts, readTexts, type KnownText } from './file-texts.ts';

/** A value that does not occur on the pages of its document. */
interface PageMiss {
  readonly rowId: number;
  /** the number of the field */
  readonly field: number;
}

/** Records that are compared together: their texts are in memory at the same time. */
const BATCH_SIZE = 50;
const CHUNK_SIZES = [BATCH_SIZE, 10, 1];

/** Whether a check searches values on pages. */
export function isOnPages({ parts }: Check): boolean {
  return parts.some(({ measure }) => measure?.kind === 'page');
}

/**
 * The values that a check searches on pages without finding them. A document without text, or with a file that waits
 * for extraction, has none.
 * @param among only these revisions; null: all
 */
export async function findPageMisses(
  db: Transaction,
  collection: Collection,
  check: Check,
  among: readonly number[] | null,
): Promise<PageMiss[]> {
  if (collection.kind !== 'archive') return [];
  const numbers = new Set(
    check.parts.flatMap(({ measure }) => (measure?.kind === 'page' ? [measure.field] : [])),
  );
  const fields = collection.fields.filter(({ number }) => numbers.has(number));
  const misses: PageMiss[] = [];
  const compare = async (records: readonly RecordValues[]) => {
    const texts = await readTextsOf(db, collection, records);
    for (const { id, values } of records) {
      const recordTexts = texts.get(id) ?? [];
      for (const [index, field] of fields.entries()) {
        if (isMissing(field, values[index] ?? null, recordTexts)) {
          misses.push({ rowId: id, field: field.number });
        }
      }
    }
    await yieldToEventLoop();
  };
  if (among) {
    for (const some of chunks(among, CHUNK_SIZES)) {
      await compare(await readValuesOf(db, collection, fields, some));
    }
    return misses;
  }
  for (let after = Number.MIN_SAFE_INTEGER; ;) {
    const records = await readValuesAfter(db, collection, fields, { after, limit: BATCH_SIZE });
    const last = records.at(-1);
    if (!last) return misses;
    await compare(records);
    after = last.id;
  }
}

/** The texts of the files of revisions; empty if one is not extracted yet. */
async function readTextsOf(
  db: Transaction,
  archive: Archive,
  records: readonly RecordValues[],
): Promise<Map<number, readonly KnownText[]>> {
  const files = await filesByRevision(
    db,
    archive,
    records.map(({ id }) => id),
  );
  const digests = new Set(
    [...files.values()]
      .flat()
      .filter(isTextual)
      .map((file) => file.sha256),
  );
  const texts = await readTexts(db, [...digests]);
  const known = new Map<number, readonly KnownText[]>();
  for (const [id, all] of files) {
    const textual = all.filter(isTextual);
    const own = textual.flatMap(({ sha256 }) => texts.get(sha256) ?? []);
    if (own.length === textual.length) known.set(id, own);
  }
  return known;
}

function isMissing(
  { type }: Collection['fields'][number],
  value: RecordValues['values'][number],
  texts: readonly KnownText[],
): boolean {
  // The part of a text that is not stored may contain the value.
  if (texts.every(({ text }) => text.trim() === '') || texts.some(({ isCut }) => isCut)) {
    return false;
  }
  const spellings = spellingsOf(type, value);
  return spellings !== null && !texts.some(({ text }) => spellings.test(text));
}

/** Stores what revisions miss now, and queues the files whose texts are not known. */
export async function replaceMisses(
  db: Transaction,
  collection: Collection,
  ids: readonly number[],
  misses: readonly PageMiss[],
): Promise<void> {
  if (collection.kind !== 'archive') return;
  await queueTexts(db, [...(await filesByRevision(db, collection, ids)).values()].flat());
  await deleteMisses(db, collection, ids);
  await insertMisses(db, collection, misses);
}

/** The revisions of an archive that have misses. */
export async function readMissing(db: Transaction, { id }: Collection): Promise<number[]> {
  const rows = await db.k
    .selectFrom('page_misses')
    .select('row_id')
    .distinct()
    .where('archive_id', '=', id)
    .execute();
  return rows.map(({ row_id }) => row_id);
}

/** @param among only those of these revisions; null: all of the archive */
export async function deleteMisses(
  db: Transaction,
  { id }: Pick<Collection, 'id'>,
  among: readonly number[] | null,
): Promise<void> {
  const onlyThose = among ? sql`and row_id ${db.adapter.isAmong(among)}` : sql``;
  await sql`delete from page_misses where archive_id = ${id} ${onlyThose}`.execute(db.k);
}

/** Stores misses with the values that the revisions have now. */
export async function insertMisses(
  db: Transaction,
  collection: Collection,
  misses: readonly PageMiss[],
): Promise<void> {
  const table = tableName(collection);
  const id = sql.ref(`${table}._id`);
  for (const [field, some] of Map.groupBy(misses, (miss) => miss.field)) {
    const value = valueOnPage(db, collection, field);
    await sql`insert into page_misses (archive_id, row_id, field, value)
      select ${sql.lit(collection.id)}, ${id}, ${sql.lit(field)}, ${value} from ${sql.table(table)}
      where ${id} ${db.adapter.isAmong(some.map(({ rowId }) => rowId))} and ${value} is not null`.execute(
      db.k,
    );
  }
}
