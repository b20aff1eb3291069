import { changeTables } from '#server/database/change-tables.ts';
import type { Transaction } from '#server/database/database.ts';
import type { JobContext } from '../definition-jobs/job-context.ts';
import { deleteTexts } from '../page-texts/file-texts.ts';
import {
  markRemovalsDone,
  readUnfinishedRemovals,
  removeFileRows,
  reassignUnfinishedRemovals,
} from '../files/files.service.ts';

/** Files per transaction, whose bytes are removed after it. */
const FILE_BATCH_SIZE = 50;

/**
 * Removes the files of an archive, and the bytes that no other record has. Equal content that is uploaded meanwhile is
 * stored again: `addFiles` rejects a file whose bytes may have been removed since they were stored.
 * @param jobId identifies the removal
 */
export async function removeFiles(
  { database, files, signal }: JobContext,
  archiveId: number,
  jobId: number,
): Promise<void> {
  // A purge that failed, as while a bucket could not be reached, is followed by another one.
  await database.write((db) => reassignUnfinishedRemovals(db, jobId));
  for (;;) {
    if (signal.aborted) return;
    // Files of an interrupted removal come first.
    const locations = await database.read((db) => readUnfinishedRemovals(db, jobId));
    for (const location of locations) await files.remove(location);
    if (locations.length > 0) {
      await database.write(async (db) => {
        await deleteTexts(db, locations);
        await markRemovalsDone(db, jobId, locations);
      });
    }
    const taken = await changeTables(database, async (db: Transaction) => {
      await db.adapter.lockTable(db, 'files');
      return removeFileRows(db, archiveId, jobId, FILE_BATCH_SIZE);
    });
    if (taken === 0) return;
  }
}
