import type { Transaction } from '#server/database/database.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { readActiveLocks } from '#server/database/records/active-locks.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import type { LocksAnswer } from '#shared/contract/locks.ts';

/** Maximum number of locks per archive in an answer. */
const MAX_PER_ARCHIVE = 1_000;

/** The locks of revisions, by archive, oldest first. */
export async function answerLocks(
  db: Transaction,
  archives: readonly Archive[],
): Promise<LocksAnswer> {
  const locks: LocksAnswer['locks'] = [];
  for (const archive of archives) {
    for (const held of await readActiveLocks(db, archive, MAX_PER_ARCHIVE)) {
      locks.push({
        archive: archive.name,
        revisionId: String(held.revisionId),
        documentId: String(held.documentId),
        by: held.by,
        at: isoTime(held.at),
        sessionId: held.sessionId,
      });
    }
  }
  return { locks };
}
