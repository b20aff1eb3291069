import { fileIsRemoved } from '#messages/service/storage-errors.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { DocumentFile } from '#shared/contract/answers.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { ApiError } from '#shared/contract/errors.ts';
import type { Change } from '../history/history.service.ts';
import { locationOf } from './file-store.ts';
import * as store from './files.store.ts';
import type { StoredFile } from './files.store.ts';

export type { NewFile, StoredFile } from './files.store.ts';

/** The files of revisions, deleted ones included, by revisionId, in their order. */
export async function filesByRevision(
  db: Transaction,
  archive: Archive,
  revisionIds: readonly number[],
): Promise<Map<number, StoredFile[]>> {
  const byRevision = new Map<number, StoredFile[]>();
  for (const file of await store.readFiles(db, archive.id, revisionIds)) {
    const files = byRevision.get(file.rowId);
    if (files) files.push(file);
    else byRevision.set(file.rowId, [file]);
  }
  return byRevision;
}

export {
  markRemovalsDone,
  iterateFiles,
  readUnfinishedRemovals,
  removeFileRows,
  reassignUnfinishedRemovals,
} from './files.store.ts';

/** After this time, in milliseconds, no upload can refer to bytes that a purge has removed. */
const MAX_UPLOAD_TIME = 24 * 60 * 60_000;

/** Deletes the records of removals that ended long ago. */
export async function deleteOldRemovals(database: Database): Promise<void> {
  await database.write((db) => store.deleteRemovalsBefore(db, Date.now() - MAX_UPLOAD_TIME));
}

/**
 * Adds files to revisions; their bytes must be stored and flushed already.
 * @throws {ApiError} 503 if a purge has removed the bytes of equal content since, or is removing them
 */
export async function addFiles(
  db: Transaction,
  archive: Archive,
  files: readonly store.NewFile[],
): Promise<void> {
  await store.insertFiles(db, archive.id, files);
  const stored = files.filter(({ removedBefore }) => removedBefore !== undefined);
  const removals = await store.readRemovals(
    db,
    stored.map(({ location }) => location),
  );
  for (const { location, removedBefore } of removals.size > 0 ? stored : []) {
    const removal = removals.get(location);
    if (!removal || (removal.isDone && removal.jobId === removedBefore)) continue;
    throw new ApiError('unavailable', fileIsRemoved, { retryAfter: 1 });
  }
}

/**
 * For `addFiles`, read before contents are stored: the jobs that have removed their bytes.
 * @param digests SHA-256 in hexadecimal
 * @returns by digest; no entry: none has
 */
export async function readRemovedBefore(
  db: Transaction,
  digests: readonly string[],
): Promise<Map<string, number>> {
  const removals = await store.readRemovals(db, digests.map(locationOf));
  return new Map(
    digests.flatMap((digest) => {
      const removal = removals.get(locationOf(digest));
      return removal?.isDone === true ? [[digest, removal.jobId] as const] : [];
    }),
  );
}

/** A file in responses. */
export function toDocumentFile({ id, name, contentType, size }: StoredFile): DocumentFile {
  return { fileId: String(id), name, contentType, size };
}

/** A change of a revision's files for the history. */
export function filesChange(before: readonly string[], after: readonly string[]): Change {
  return { name: 'document.files', before, after };
}
