import { createHash, randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import pLimit from 'p-limit';
import { sql } from 'kysely';
import { makeDirectory } from '#server/database/data-directory.ts';
import type { Transaction } from '#server/database/database.ts';
import type { LongSnapshot } from '#server/database/copying/long-snapshot.ts';
import type { FileStore } from '../files/file-store.ts';
import { MissingFileError } from '../files/missing-file.ts';

/** The bytes of documents' files, each once however many revisions have it. */
interface KeptFile {
  readonly location: string;
  readonly sha256: string;
  /** bytes */
  readonly size: number;
}

const AT_ONCE = 1_000;
/** Each waits for disks and networks several times. */
const CONCURRENCY = 8;

/** The next files behind a location, in its order, at most 1,000. */
async function readKeptFiles(db: Transaction, after: string): Promise<readonly KeptFile[]> {
  const { rows } = await sql<KeptFile>`
    select location, max(sha256) as sha256, max(size) as size from files
    where location > ${after} group by location order by location limit ${sql.lit(AT_ONCE)}`.execute(
    db.k,
  );
  return rows;
}

/** What has become of the files of an installation. */
export interface FileTally {
  readonly files: number;
  readonly bytes: number;
  /** locations of files that the source does not hold, or holds with other bytes */
  readonly bad: readonly string[];
}

/** Copies the documents' files that the target does not hold, and checks all that it holds by their SHA-256. */
export async function copyFiles(
  source: LongSnapshot,
  theirs: FileStore,
  ours: FileStore,
  copied: (files: number) => void,
): Promise<FileTally> {
  let [files, bytes] = [0, 0];
  const bad: string[] = [];
  let page = await source.use((db) => readKeptFiles(db, ''));
  while (page.length > 0) {
    await pLimit(CONCURRENCY).map(page, async (file) => {
      const isThere = (await hasBytes(ours, file)) || (await copyFile(theirs, ours, file));
      if (isThere) bytes += file.size;
      else bad.push(file.location);
      files += 1;
      copied(files);
    });
    const last = page.at(-1)?.location ?? '';
    page = await source.use((db) => readKeptFiles(db, last));
  }
  return { files, bytes, bad };
}

/** Whether a store holds the bytes that a file should have. */
async function hasBytes(store: FileStore, { location, sha256 }: KeptFile): Promise<boolean> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of bytesOf(store, location)) hash.update(chunk);
  } catch (error) {
    if (error instanceof MissingFileError) return false;
    throw error;
  }
  return hash.digest('hex') === sha256;
}

async function copyFile(theirs: FileStore, ours: FileStore, file: KeptFile): Promise<boolean> {
  await makeDirectory(ours.incomingDir);
  const partial = join(ours.incomingDir, `copy-${randomUUID()}`);
  const hash = createHash('sha256');
  try {
    const target = await open(partial, 'wx', 0o600);
    try {
      for await (const chunk of bytesOf(theirs, file.location)) {
        hash.update(chunk);
        await target.appendFile(chunk);
      }
      await target.sync();
    } finally {
      await target.close();
    }
    if (hash.digest('hex') !== file.sha256) return false;
    await ours.keep({ path: partial, sha256: file.sha256, size: file.size });
    return await hasBytes(ours, file);
  } catch (error) {
    if (error instanceof MissingFileError) return false;
    throw error;
  } finally {
    await rm(partial, { force: true });
  }
}

async function* bytesOf(store: FileStore, location: string): AsyncGenerator<Buffer> {
  for await (const chunk of await store.open(location)) {
    if (Buffer.isBuffer(chunk)) yield chunk;
  }
}
