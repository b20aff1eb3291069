import pLimit from 'p-limit';
import { sql } from 'kysely';
import { digestOf } from '#server/lib/file-bytes.ts';
import type { Transaction } from '#server/database/database.ts';
import type { LongSnapshot } from '#server/database/copying/long-snapshot.ts';
import type { FileStore } from '../files/file-store.ts';
import type { StoredFile } from '../files/files.service.ts';
import { withIncoming } from '../files/incoming.ts';
import { MissingFileError } from '../files/missing-file.ts';

/** The bytes of documents' files, once per content. */
export type FileEntry = Pick<StoredFile, 'location' | 'sha256' | 'size'>;

const BATCH_SIZE = 1_000;
/** Each waits several times for disks and networks. */
const CONCURRENCY = 8;

/** The next files after a location, in order, at most 1,000. */
async function readFileEntries(db: Transaction, after: string): Promise<readonly FileEntry[]> {
  const { rows } = await sql<FileEntry>`
    select location, max(sha256) as sha256, max(size) as size from files
    where location > ${after} group by location order by location limit ${sql.lit(BATCH_SIZE)}`.execute(
    db.k,
  );
  return rows;
}

/** The result of copying the files of an installation. */
export interface FileTally {
  readonly files: number;
  readonly bytes: number;
  /** locations of files that the source lacks, or has with other bytes */
  readonly bad: readonly string[];
}

/** Copies the documents' files that the target lacks, and checks all others by their SHA-256. */
export async function copyMissingFiles(
  source: LongSnapshot,
  sourceFiles: FileStore,
  targetFiles: FileStore,
  copied: (files: number) => void,
): Promise<FileTally> {
  let [files, bytes] = [0, 0];
  const bad: string[] = [];
  let page = await source.use((db) => readFileEntries(db, ''));
  while (page.length > 0) {
    await pLimit(CONCURRENCY).map(page, async (file) => {
      const isCopied =
        (await hasBytes(targetFiles, file)) || (await copyFile(sourceFiles, targetFiles, file));
      if (isCopied) bytes += file.size;
      else bad.push(file.location);
      files += 1;
      copied(files);
    });
    const last = page.at(-1)?.location ?? '';
    page = await source.use((db) => readFileEntries(db, last));
  }
  return { files, bytes, bad };
}

/** Whether a store has the expected bytes of a file. */
async function hasBytes(store: FileStore, { location, sha256 }: FileEntry): Promise<boolean> {
  return falseIfMissing(async () => {
    return (await digestOf(await store.open(location))).sha256 === sha256;
  });
}

async function copyFile(
  sourceFiles: FileStore,
  targetFiles: FileStore,
  file: FileEntry,
): Promise<boolean> {
  return falseIfMissing(async () =>
    withIncoming(targetFiles, await sourceFiles.open(file.location), async (received) => {
      if (received.sha256 !== file.sha256) return false;
      await targetFiles.put(received);
      return hasBytes(targetFiles, file);
    }),
  );
}

async function falseIfMissing(work: () => Promise<boolean>): Promise<boolean> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MissingFileError) return false;
    throw error;
  }
}
