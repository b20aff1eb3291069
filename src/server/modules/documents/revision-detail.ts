import type { Transaction } from '#server/database/database.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { documentEntrySchema, RevisionDetail } from '#shared/contract/answers.ts';
import type * as z from 'zod';
import type { Archive } from '#server/database/records/collection.ts';
import { filesByRevision, toDocumentFile } from '../files/files.service.ts';
import { toIndexEntry, toRevision, toRevisionMeta } from '../records/present-record.ts';

/** A revision with its files, in the response of a read (docs/interface/decisions.md, section 6). */
export async function revisionDetail(
  db: Transaction,
  archive: Archive,
  record: StoredRecord,
): Promise<RevisionDetail> {
  const files = await filesByRevision(db, archive, [record.id]);
  return {
    ...toRevision(archive, record),
    ...toRevisionMeta(record),
    files: (files.get(record.id) ?? []).map(toDocumentFile),
  };
}

/** Revisions with keywords and files, in the list of documents. */
export async function documentEntries(
  db: Transaction,
  archive: Archive,
  records: readonly StoredRecord[],
): Promise<z.infer<typeof documentEntrySchema>[]> {
  const files = await filesByRevision(
    db,
    archive,
    records.map(({ id }) => id),
  );
  return records.map((record) => ({
    ...toIndexEntry(archive, record),
    keywordFields: toRevision(archive, record).keywordFields,
    files: (files.get(record.id) ?? []).map(toDocumentFile),
  }));
}
