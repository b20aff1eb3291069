import * as texts from '#messages/service/loading.ts';
import { basename } from 'node:path';
import type { Transaction } from '#server/database/database.ts';
import { updateRecords } from '#server/database/records/write-records.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { addFiles, filesChange, type StoredFile } from '../files/files.service.ts';
import type { FileStore } from '../files/file-store.ts';
import { changeOf, recordHistory, type Actor } from '../history/history.service.ts';
import { copyIntoStore, digestOfFile, problemOfFile } from './file-uploads.ts';

/** How the files that a row names compare with those of an existing revision. */
interface FileComparison {
  /** the paths of files that it does not have; each content once */
  readonly missing: readonly string[];
  /** whether it has other files, or other names */
  readonly differs: boolean;
  /** why files cannot be attached, one sentence each */
  readonly problems: readonly string[];
}

/** Compares the files of a revision with those that a row names, by digest, because names may differ. */
export async function compareFiles(
  stored: readonly StoredFile[],
  paths: readonly string[],
): Promise<FileComparison> {
  const missing: string[] = [];
  const problems: string[] = [];
  const known = new Map(stored.map((file) => [file.sha256, file]));
  const met = new Set<string>();
  let differs = false;
  for (const path of paths) {
    const name = basename(path);
    const digest = await digestOfFile(path);
    const hasName = stored.some((file) => file.name === name);
    if (digest === null) {
      // Files that were loaded before may have been removed.
      if (hasName) differs = true;
      else problems.push((await problemOfFile(path)) ?? texts.cannotRead(path));
      continue;
    }
    const file = known.get(digest);
    if (file && file.name !== name) differs = true;
    // A file with an existing name and other content is not attached: existing files are never changed.
    if (!file && hasName) differs = true;
    else if (!file && !met.has(digest)) missing.push(path);
    met.add(digest);
  }
  if (stored.some(({ sha256 }) => !met.has(sha256))) differs = true;
  return { missing, differs, problems };
}

/** Files to attach to an existing revision. */
export interface Attachment {
  readonly record: StoredRecord;
  /** its existing files */
  readonly stored: readonly StoredFile[];
  /** the paths of the files to attach */
  readonly missing: readonly string[];
}

/**
 * Attaches files to existing revisions, after their files. Each revision gets a new version and a history entry.
 * @returns the number of attached files
 */
export async function attachFiles(
  db: Transaction,
  archive: Archive,
  actor: Actor,
  files: FileStore,
  attachments: readonly Attachment[],
): Promise<number> {
  const copies = await copyIntoStore(
    db,
    files,
    attachments.flatMap(({ missing }) => missing),
  );
  const at = Date.now();
  const changes = attachments.map(({ record, stored, missing }) => ({
    before: record,
    after: { ...record, version: record.version + 1, changedAt: at, changedBy: actor.username },
    names: stored.map(({ name }) => name),
    added: missing.flatMap((path, i) => {
      const copy = copies.get(path);
      return copy ? [{ ...copy, rowId: record.id, position: stored.length + i }] : [];
    }),
  }));
  await updateRecords(db, archive, changes);
  await recordHistory(
    db,
    archive,
    actor,
    at,
    changes.map(({ names, added, ...change }) => ({
      ...changeOf(change),
      otherChanges: [filesChange(names, [...names, ...added.map(({ name }) => name)])],
    })),
  );
  const added = changes.flatMap((change) => change.added);
  await addFiles(db, archive, added);
  return added.length;
}
