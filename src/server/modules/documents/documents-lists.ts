import type { Transaction } from '#server/database/database.ts';
import type { Archive } from '#server/database/records/collection.ts';
import type { QueryParameters } from '#shared/rules/query-reader.ts';
import { listMeta } from '../checks/list-meta.ts';
import { listPage } from '../records/lists.service.ts';
import { toIndexEntry } from '../records/present-record.ts';
import { documentEntries } from './revision-detail.ts';

/**
 * Answers one page of an archive (docs/interface/decisions.md, section 6).
 * @throws {ApiError} 400 naming the parameter
 */
export async function indexPage(db: Transaction, archive: Archive, parameters: QueryParameters) {
  const page = await listPage(db, archive, parameters);
  const archivedocuments = page.records.map((record) => toIndexEntry(archive, record));
  return { archivedocuments, meta: await listMeta(db, archive, page) };
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
  const page = await listPage(db, archive, parameters);
  const archivedocuments = await documentEntries(db, archive, page.records);
  return { archivedocuments, meta: await listMeta(db, archive, page) };
}
