import * as texts from '#messages/service/verification.ts';
import type { Transaction } from '#server/database/database.ts';
import { digestOf } from '#server/lib/file-bytes.ts';
import { iterateFiles, type StoredFile } from '../files/files.service.ts';
import type { FileStore } from '../files/file-store.ts';
import { shown, type VerificationFindings } from './verification-findings.ts';
import { messageOf } from '#server/lib/caught-errors.ts';

/** What the check needs of the documents' files. */
export interface CheckedFiles extends Pick<FileStore, 'size' | 'open'> {
  /** whether their contents were compared with their SHA-256 before */
  readonly compared?: true;
}

/** How many files are remembered as checked, because several revisions may have the same one. */
const MAX_REMEMBERED = 100_000;

/**
 * Checks that the files of all revisions, including deleted ones, exist with the stored size.
 * @param contents whether they are read, and compared by their SHA-256
 * @returns the number of files
 */
export async function checkFiles(
  db: Transaction,
  files: CheckedFiles,
  contents: boolean,
  findings: VerificationFindings,
): Promise<number> {
  const seen = new Set<string>();
  let count = 0;
  for await (const page of iterateFiles(db)) {
    for (const file of page) {
      count += 1;
      if (seen.has(file.location)) continue;
      if (seen.size >= MAX_REMEMBERED) seen.clear();
      seen.add(file.location);
      const problem = await problemOf(file, files, contents);
      const subject = texts.file({ id: file.id, name: shown(file.name) });
      if (problem !== null) findings.addAbout(subject, problem);
      findings.report.progress(texts.progress.files(count));
    }
  }
  return count;
}

async function problemOf(
  { location, size, sha256 }: StoredFile,
  files: CheckedFiles,
  contents: boolean,
): Promise<string | null> {
  try {
    const found = await files.size(location);
    if (found === null) return texts.contentMissing(location);
    if (found !== size) return texts.contentSize({ location, found, size });
    if (!contents) return null;
    const { sha256: digest } = await digestOf(await files.open(location));
    return digest === sha256 ? null : texts.contentChanged(location);
  } catch (error) {
    const reason = messageOf(error);
    return texts.contentUnreadable({ location, reason });
  }
}
