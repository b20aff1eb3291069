import type { Transaction } from '#server/database/database.ts';
import type { Archive } from '#server/database/records/collection.ts';
import type { QueryParameters } from '#shared/rules/query-reader.ts';
import { etagsOf } from '../records/etags.ts';
import { listIds, listPage } from '../records/lists.service.ts';
import { toIndexEntry } from './present.ts';
import { documentEntries } from './revision-detail.ts';

/**
 * Answers one page of an archive (docs/interface/decisions.md, section 6).
 * @throws {ApiError} 400 naming the parameter
 */
export async function indexPage(db: Transaction, archive: Archive, parameters: QueryParameters) {
  const { records, pagination } = await listPage(db, archive, parameters);
  const archivedocuments = records.map((record) => toIndexEntry(archive, record));
  return { archivedocuments, meta: { pagination, etags: etagsOf(records) } };
}

/**
 * Answers one page of an archive with keywords and files (docs/interface/decisions.md, section 6).
 * @throws {ApiError} 400 naming the parameter
 */
export async function documentsPage(
  db: Transaction,
  archive: Archive,
  parameters: QueryParameters,
) {
  const { records, pagination } = await listPage(db, archive, parameters);
  const archivedocuments = await documentEntries(db, archive, records);
  return { archivedocuments, meta: { pagination, etags: etagsOf(records) } };
}

/**
 * Answers the ids of all revisions that match (`listIds`).
 * @throws {ApiError} 400 naming the parameter; 422 if there are too many
 */
export async function revisionIds(db: Transaction, archive: Archive, parameters: QueryParameters) {
  const { ids, etags } = await listIds(db, archive, parameters);
  return { revisionIds: ids, etags };
}
