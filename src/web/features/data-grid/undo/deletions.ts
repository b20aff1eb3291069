import type { HistoryEntry } from '#shared/contract/answers.ts';
import type { DeletedDataset } from '#shared/contract/table-analysis-answers.ts';
import { summary, toFailure } from '#web/api/failure.ts';
import type { UndoDirection } from '#web/undo/undo-steps.ts';
import type { DatasetCalls } from '../edit-store/datasets.calls.ts';
import type { RevertContext } from './revert-context.ts';
import * as texts from '#messages/table-undo-outcomes.ts';

export function isDeletion({ call }: HistoryEntry): boolean {
  return call.startsWith('DELETE ');
}

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
  context: RevertContext,
): Promise<RevertedDeletions> {
  if (jrids.length === 0) return { deleted: jrids, message: null };
  try {
    return await (direction === 'undo' ? restoreOwn(jrids, context) : deleteAgain(jrids, context));
  } catch (error) {
    return { deleted: [], message: summary(toFailure(error)) };
  }
}

async function restoreOwn(
  jrids: readonly string[],
  { editStore: { calls }, username }: RevertContext,
): Promise<RevertedDeletions> {
  const deletions = await readDeletions(jrids, calls);
  if (deletions.length === 0) return { deleted: [], message: texts.existsAlready };
  const other = deletions.find(({ user }) => user !== username);
  if (other) return { deleted: [], message: other };
  await calls.undo(deletions);
  return { deleted: deletions.map(({ jrid }) => jrid), message: null };
}

/** Up to this many histories are read one by one; the deletions of more records are read together. */
const MAX_SINGLE_READS = 20;

/** The newest entries of those records that are deleted. @throws {CallError} */
export async function readDeletions(
  jrids: readonly string[],
  calls: Pick<DatasetCalls, 'several' | 'deletions' | 'history'>,
): Promise<readonly DeletedDataset[]> {
  const existing = await calls.several(jrids);
  const deleted = jrids.filter((jrid) => !existing.has(jrid));
  const found = deleted.length > MAX_SINGLE_READS ? await calls.deletions(deleted) : [];
  const known = new Set(found.map(({ jrid }) => jrid));
  const missing = deleted.filter((jrid) => !known.has(jrid));
  const histories = await readHistories(calls, missing);
  return [...found, ...[...histories].flatMap(([jrid, [last]]) => (last ? { ...last, jrid } : []))];
}

async function deleteAgain(
  jrids: readonly string[],
  { editStore, username }: RevertContext,
): Promise<RevertedDeletions> {
  const { calls } = editStore;
  const existing = await calls.several(jrids);
  const left = jrids.filter((jrid) => existing.has(jrid));
  if (left.length === 0) return { deleted: [], message: texts.goneAlready };
  const histories = await readHistories(calls, left);
  for (const entries of histories.values()) {
    const since = entries.slice(0, entries.findIndex(isDeletion));
    const other = since.find(({ user }) => user !== username);
    if (other) return { deleted: [], message: other };
  }
  await calls.delete(
    left.map((jrid) => {
      const etag = existing.get(jrid)?.etag;
      return { jrid, ...(etag ? { ifMatch: etag } : {}) };
    }),
  );
  editStore.forgetRecords(left);
  return { deleted: left, message: null };
}
