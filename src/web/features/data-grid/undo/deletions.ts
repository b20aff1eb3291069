import type { HistoryEntry } from '#shared/contract/answers.ts';
import { hasStatus, summary, toFailure } from '#web/api/failure.ts';
import type { UndoDirection } from '#web/undo/undo-steps.ts';
import type { DatasetCalls } from '../edit-store/datasets.calls.ts';
import type { EditStore } from '../edit-store/edit-store.ts';
import * as texts from '#messages/table-undo-outcomes.ts';
import { isDeletion } from './find-author.ts';

/** How many histories are requested concurrently. */
const CONCURRENCY = 6;

/** The histories of records, newest first, by jrid. @throws {CallError} */
export async function readHistories(
  calls: Pick<DatasetCalls, 'history'>,
  jrids: readonly string[],
): Promise<ReadonlyMap<string, readonly HistoryEntry[]>> {
  const found = new Map<string, readonly HistoryEntry[]>();
  for (let from = 0; from < jrids.length; from += CONCURRENCY) {
    const asked = jrids.slice(from, from + CONCURRENCY);
    // Some at a time leave room for others.
    const histories = await Promise.all(asked.map((jrid) => calls.history(jrid)));
    for (const [i, jrid] of asked.entries()) found.set(jrid, histories[i] ?? []);
  }
  return found;
}

/** The deletions that were reverted, all or none of those that could be. */
interface RevertedDeletions {
  readonly deleted: readonly string[];
  /** why not; the change by another user if that is the reason */
  readonly message: string | HistoryEntry | null;
}

/**
 * Restores deleted records, or deletes them again. A record that was restored by other means is skipped, and one that
 * another user has changed since is not deleted.
 */
export async function revertDeletions(
  jrids: readonly string[],
  direction: UndoDirection,
  editStore: EditStore,
): Promise<RevertedDeletions> {
  if (jrids.length === 0) return { deleted: jrids, message: null };
  try {
    return await (direction === 'undo'
      ? undoDeletions(jrids, editStore.calls)
      : deleteAgain(jrids, editStore));
  } catch (error) {
    return { deleted: [], message: summary(toFailure(error)) };
  }
}

/** Restores records whose last change was their deletion by the caller. @throws {CallError} */
export async function undoDeletions(
  jrids: readonly string[],
  calls: DatasetCalls,
): Promise<RevertedDeletions> {
  const existing = await calls.several(jrids);
  const deleted = jrids.filter((jrid) => !existing.has(jrid));
  if (deleted.length === 0) return { deleted: [], message: texts.existsAlready };
  // The newest entry of a deleted record is its deletion; the service rejects one by another user.
  const deletions = await readDeletions(calls, deleted);
  const historyIds = [...deletions.values()].map(({ historyId }) => historyId);
  try {
    await calls.undo(historyIds, deleted);
  } catch (error) {
    const other = hasStatus(error, 403) && (await findDeletedSince(calls, deletions));
    if (!other) throw error;
    return { deleted: [], message: other };
  }
  return { deleted, message: null };
}

/** Up to this many histories are read one by one; the deletions of more records are read together. */
const MAX_SINGLE_READS = 20;

/** The deletions of deleted records, by jrid. @throws {CallError} */
async function readDeletions(
  calls: Pick<DatasetCalls, 'deletions' | 'history'>,
  jrids: readonly string[],
): Promise<ReadonlyMap<string, HistoryEntry>> {
  const found = new Map(jrids.length > MAX_SINGLE_READS ? await calls.deletions(jrids) : []);
  const missing = jrids.filter((jrid) => !found.has(jrid));
  for (const [jrid, [last]] of await readHistories(calls, missing)) {
    if (last) found.set(jrid, last);
  }
  return found;
}

/**
 * The deletion of a record that had been deleted by another user before, and restored. Those by users who have deleted
 * the fewest records are checked first. @throws {CallError}
 */
async function findDeletedSince(
  calls: Pick<DatasetCalls, 'history'>,
  deletions: ReadonlyMap<string, HistoryEntry>,
): Promise<HistoryEntry | undefined> {
  const byUser = Map.groupBy(deletions, ([, { user }]) => user);
  const jrids = [...byUser.values()]
    .toSorted((some, others) => some.length - others.length)
    .flatMap((entries) => entries.map(([jrid]) => jrid));
  for (let from = 0; from < jrids.length; from += CONCURRENCY) {
    // The first that is found is enough.
    const histories = await readHistories(calls, jrids.slice(from, from + CONCURRENCY));
    for (const [last, ...before] of histories.values()) {
      const wasDeleted = (entry: HistoryEntry) => isDeletion(entry) && entry.user !== last?.user;
      if (last && before.some(wasDeleted)) return last;
    }
  }
  return undefined;
}

async function deleteAgain(
  jrids: readonly string[],
  { calls, forgetRecords }: EditStore,
): Promise<RevertedDeletions> {
  const existing = await calls.several(jrids);
  const left = jrids.filter((jrid) => existing.has(jrid));
  if (left.length === 0) return { deleted: [], message: texts.goneAlready };
  const histories = await readHistories(calls, left);
  for (const entries of histories.values()) {
    const own = entries.findIndex(isDeletion);
    const other = entries.slice(0, own).find(({ user }) => user !== entries[own]?.user);
    if (other) return { deleted: [], message: other };
  }
  await calls.delete(
    left.map((jrid) => {
      const etag = existing.get(jrid)?.etag;
      return { jrid, ...(etag ? { ifMatch: etag } : {}) };
    }),
  );
  forgetRecords(left);
  return { deleted: left, message: null };
}
