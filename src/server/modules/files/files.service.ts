import type { Transaction } from '#server/database/database.ts';
import type { DocumentFile } from '#shared/contract/answers.ts';
import type { Archive } from '#server/database/records/collection.ts';
import type { Change } from '../history/history.service.ts';
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

/** All files, in pages. */
export const walkFiles = store.walkFiles;

/** Adds files to revisions; their bytes must be stored and flushed already. */
export function addFiles(
  db: Transaction,
  archive: Archive,
  files: readonly store.NewFile[],
): Promise<void> {
  return store.insertFiles(db, archive.id, files);
}

/** A file in responses. */
export function toDocumentFile({ id, name, contentType, size }: StoredFile): DocumentFile {
  return { fileId: String(id), name, contentType, size };
}

/** A change of a revision's files for the history. */
export function filesChange(before: readonly string[], after: readonly string[]): Change {
  return { name: 'document.files', before, after };
}
