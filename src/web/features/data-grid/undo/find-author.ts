import type { HistoryEntry } from '#shared/contract/answers.ts';
import type { DatasetCalls } from '../edit-store/datasets.calls.ts';
import * as texts from '#messages/table-undo-outcomes.ts';
import type { NameOf } from '#web/api/display-names.queries.ts';
import { localInstant } from '#web/fields/value-text.ts';

/** A cell that was left unchanged, because it was changed by someone else since. */
export interface SkippedCell {
  readonly jrid: string;
  /** null: the record as a whole */
  readonly column: string | null;
  /** who, and when (ISO 8601); null if unknown */
  readonly by: string | null;
  readonly at: string | null;
  /** whether the change was the deletion of the record */
  readonly deleted?: boolean;
}

/** Looks up who last changed a cell, or its record. */
export async function findAuthor(
  { history }: Pick<DatasetCalls, 'history'>,
  jrid: string,
  column: string | null,
): Promise<SkippedCell> {
  const entries = await history(jrid).catch((): readonly HistoryEntry[] => []);
  const [last] = entries;
  const deleted = last !== undefined && isDeletion(last);
  const changes = ({ changes }: HistoryEntry) =>
    column === null || changes.some(({ name }) => name === column);
  const entry = deleted ? last : entries.find(changes);
  return { jrid, column, by: entry?.user ?? null, at: entry?.at ?? null, deleted };
}

/** A sentence with author and time: `Ben Carter has deleted the record, 31/01/2026 14:05.` */
export function changedBy(entry: HistoryEntry, nameOf: NameOf): string {
  const of = { person: nameOf(entry.user), at: localInstant(entry.at) };
  return isDeletion(entry) ? texts.recordDeletedBy(of) : texts.recordChangedBy(of);
}

export function isDeletion({ call }: HistoryEntry): boolean {
  return call.startsWith('DELETE ');
}
