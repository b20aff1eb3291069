import { randomUUID } from 'node:crypto';
import { BackgroundLoop } from '#server/lib/background-loop.ts';
import { READ_COMMITTED, type Database } from '#server/database/database.ts';
import type { WarningLog } from '#server/lib/warning-log.ts';
import type { FileStore } from '../files/file-store.ts';
import { MissingFileError } from '../files/missing-file.ts';
import * as store from './file-texts.ts';
import type { Extracted, ExtractableFile } from './file-texts.ts';
import { TextExtractor } from './text-extractor.ts';

/** The polling interval for files of other processes, in milliseconds. */
const POLL_INTERVAL = 5_000;
/** Files that a process leases together. */
const BATCH_SIZE = 10;
/** How long their lease lasts, in milliseconds: each may use its time limit. */
const LEASE_OF_BATCH = 5 * 60_000;
/** Larger files are not read. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Extracts the texts of queued files in the background (docs/decisions/0052).
 * @param onExtracted called when texts were stored
 */
export function extractTexts(
  database: Database,
  files: FileStore,
  log: WarningLog,
  onExtracted: () => void,
): Pick<BackgroundLoop, 'wake' | 'close'> {
  const owner = randomUUID();
  const extractor = new TextExtractor();

  const extract = ({ location, contentType }: ExtractableFile): Promise<Extracted> =>
    extractor.extract(async () => {
      const bytes = await readBytes(files, location);
      return bytes instanceof Uint8Array ? { bytes, contentType } : bytes;
    });

  /** @returns whether there were any */
  const extractSome = async (signal: AbortSignal): Promise<boolean> => {
    if (!(await database.read((db) => store.hasDueTexts(db)))) return false;
    const sources = await database.write(
      (db) => store.claimTexts(db, owner, BATCH_SIZE, LEASE_OF_BATCH),
      READ_COMMITTED,
    );
    let stored = 0;
    try {
      for (const source of sources) {
        const extracted = await extract(source);
        // The thread may have ended with the process.
        if (signal.aborted) break;
        await database.write((db) => store.storeText(db, source.sha256, extracted), READ_COMMITTED);
        stored += 1;
        onExtracted();
      }
    } finally {
      if (stored < sources.length) {
        await database.write((db) => store.releaseTexts(db, owner), READ_COMMITTED);
      }
    }
    return true;
  };

  let prepared = false;
  const loop = new BackgroundLoop({
    name: 'extracting the texts of files',
    log,
    async run(signal) {
      // A single process uses the database: a lease found at its start belongs to a process that has ended.
      if (!prepared && !database.adapter.isShared) {
        await database.write((db) => store.releaseTexts(db, null), READ_COMMITTED);
      }
      prepared = true;
      while (!signal.aborted && (await extractSome(signal)));
      await extractor.close();
      return POLL_INTERVAL;
    },
  });

  return {
    wake: () => loop.wake(),
    async close() {
      const closed = loop.close();
      await extractor.close();
      await closed;
    },
  };
}

async function readBytes(
  files: FileStore,
  location: string,
): Promise<Uint8Array<ArrayBuffer> | Extracted> {
  try {
    const size = await files.size(location);
    if (size === null) return { problem: 'missing' };
    if (size > MAX_BYTES) return { problem: 'too large' };
    // Not in parts first, which would be in memory twice.
    const bytes = new Uint8Array(size);
    let at = 0;
    for await (const part of await files.open(location)) {
      if (!Buffer.isBuffer(part)) continue;
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  } catch (error) {
    if (error instanceof MissingFileError) return { problem: 'missing' };
    throw error;
  }
}
