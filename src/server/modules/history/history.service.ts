import { isSameJson } from '#server/lib/same-json.ts';
import { keywordFieldName } from '#shared/rules/names.ts';
import type { Transaction } from '#server/database/database.ts';
import { yieldsAfter, yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import type { HistoryKind } from '#server/database/tables/history-tables.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { HistoryAnswer, HistoryEntry } from '#shared/contract/answers.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import * as store from './history.store.ts';
import type { Actor } from './history.store.ts';
import type { Change } from './changes.ts';

export {
  parseBlockIds,
  readChainedEntries,
  readLastBlock,
  readLastPosition,
  readNewestAppended,
  readSequencedEntries,
  type SequencedEntries,
  type SequencedEntry,
} from './sequencer.store.ts';
export {
  canonicalEntry,
  CHAIN_START,
  CHAINED_COLUMNS,
  chainedHash,
  hashBlock,
  hashEntry,
  MARK_LENGTH,
  entryMark,
  type ChainedEntry,
} from './chain.ts';
export type { Actor, StoredEntry, EntryRecord } from './history.store.ts';
export { readValuesAt } from './values-at-version.ts';
export { sequenceAllEntries, sequenceNextEntries } from './sequencer.ts';

/** A change of one record; `before` null: it was created, `after` null: it was deleted. */
interface RecordEvent {
  readonly kind: HistoryKind;
  readonly id: number;
  readonly version: number;
  readonly before: Pick<StoredRecord, 'values' | 'keywords'> | null;
  readonly after: Pick<StoredRecord, 'values' | 'keywords'> | null;
  /** changes other than those of values and keywords: a lock, files */
  readonly otherChanges?: readonly Change[];
}

/** The change of an existing record. */
export function changeOf(
  { before, after }: { readonly before: StoredRecord; readonly after: StoredRecord },
  kind: HistoryKind = 'change',
): RecordEvent {
  return { kind, id: after.id, version: after.version, before, after };
}

/** The deletion of a record. */
export function deletionOf(before: StoredRecord): RecordEvent {
  return { kind: 'delete', id: before.id, version: before.version + 1, before, after: null };
}

/** Entries of one call, prepared before the transaction in which they are appended. */
interface HistoryPlan {
  readonly rows: readonly store.EntryRow[];
}

/**
 * Builds the entries for changes of records. Every record can be rebuilt from its entries: a field that an entry does
 * not name has no value in a new record, and is unchanged otherwise.
 */
export async function planHistory(
  collection: Collection,
  actor: Actor,
  events: readonly RecordEvent[],
): Promise<HistoryPlan> {
  const rows: store.EntryRow[] = [];
  for (const [i, { id, version, kind, before, after, otherChanges = [] }] of events.entries()) {
    const changes = [...changesBetween(collection, before, after), ...otherChanges];
    rows.push(store.rowOfEntry(collection, { ...actor, at: 0, rowId: id, version, kind, changes }));
    if (yieldsAfter(i)) await yieldToEventLoop();
  }
  return { rows };
}

/**
 * Appends planned entries.
 * @param at milliseconds since 1970 UTC
 * @param rowIds of records that had no ids when the entries were planned, in their order
 */
export async function appendPlanned(
  db: Transaction,
  { rows }: HistoryPlan,
  at: number,
  rowIds?: readonly number[],
): Promise<void> {
  store.stampRows(rows, at, rowIds);
  await store.insertEntryRows(db, rows);
}

/** Appends changes of records, as `planHistory` and `appendPlanned`. */
export async function recordHistory(
  db: Transaction,
  collection: Collection,
  actor: Actor,
  at: number,
  events: readonly RecordEvent[],
): Promise<void> {
  await appendPlanned(db, await planHistory(collection, actor, events), at);
}

/** A change of an object that is not a record. */
type SystemEvent = {
  readonly kind: 'create' | 'change' | 'delete' | 'purge';
  readonly rowId: number;
  /** its state, by name; null: it did not exist. Never a password or token */
  readonly before: AuditState | null;
  /** null: it was deleted */
  readonly after: AuditState | null;
} & (
  | {
      readonly scope: 'definition';
      /** see `HistoryRow` of the schema */
      readonly collectionId: number;
    }
  | {
      readonly scope: 'user' | 'group' | 'session' | 'token' | 'system' | 'refused';
      readonly collectionId?: never;
    }
);

/** The state of an object that is not a record, in plain JSON. */
export type AuditState = Readonly<Record<string, unknown>>;

/**
 * Appends a change of a definition, a user or a session, in the transaction of the change. As with records, a property
 * that an entry does not name is absent in a new object, and is unchanged otherwise. Equal states create no entry.
 * @param at milliseconds since 1970 UTC
 */
export async function recordSystemHistory(
  db: Transaction,
  actor: Actor,
  at: number,
  { scope, kind, collectionId = 0, rowId, before, after }: SystemEvent,
): Promise<void> {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})]);
  const changes = [...names]
    .map((name) => ({ name, before: before?.[name] ?? null, after: after?.[name] ?? null }))
    .filter((change) => !isSameJson(change.before, change.after));
  if (changes.length === 0) return;
  await store.insertEntries(db, { kind: scope, id: collectionId }, [
    { ...actor, at, rowId, version: 0, kind, changes },
  ]);
}

interface UserChange {
  readonly userId: number;
  readonly before: AuditState;
  readonly after: AuditState;
}

/** Appends a change of a user, as `recordSystemHistory`. */
export function recordUserChange(
  db: Transaction,
  actor: Actor,
  at: number,
  { userId, ...states }: UserChange,
): Promise<void> {
  return recordSystemHistory(db, actor, at, {
    scope: 'user',
    kind: 'change',
    rowId: userId,
    ...states,
  });
}

/**
 * The history of a record, newest first, in the form of the answer: without changes only of retired fields and of those
 * that are hidden in the view.
 */
export async function readHistory(
  db: Transaction,
  collection: Collection,
  rowId: number,
): Promise<HistoryEntry[]> {
  const entries = await store.readStoredHistories(db, collection, [rowId]);
  const all = entries.get(rowId) ?? [];
  return all.filter((entry, i) => isShown(entry, all[i + 1])).map(toAnswer);
}

/**
 * Whether the history shows an entry: not if all that it changed is retired, or hidden in the view.
 * @param older the previous entry of the record: what follows a deletion restores the record
 */
export function isShown(
  { kind, changes }: store.StoredEntry,
  older: store.StoredEntry | undefined,
): boolean {
  if (changes.length > 0) return true;
  if (kind === 'restore') return older?.kind === 'delete';
  return kind !== 'change' && kind !== 'lock';
}

function toAnswer(entry: store.StoredEntry): HistoryEntry {
  return {
    historyId: String(entry.id),
    at: isoTime(entry.at),
    user: entry.username,
    call: entry.call,
    changes: entry.changes.map(({ name, before, after }) => ({ name, before, after })),
  };
}

/**
 * The deletions of records that do not exist now, newest first, in the form of the answer; `changes` has their last
 * values.
 * @param before only older ones than this entry; null: start with the newest
 */
export async function readDeletions(
  db: Transaction,
  collection: Collection,
  before: number | null,
  limit: number,
): Promise<(HistoryEntry & { rowId: number })[]> {
  const entries = await store.readDeletionEntries(db, collection, before, limit);
  return entries.map((entry) => ({ rowId: entry.rowId, ...toAnswer(entry) }));
}

/** The same with the display names of its users. */
export async function answerHistory(
  db: Transaction,
  collection: Collection,
  rowId: number,
): Promise<HistoryAnswer> {
  const history = await readHistory(db, collection, rowId);
  const usernames = [...new Set(history.map(({ user }) => user))];
  const displayNames = Object.fromEntries(await store.readDisplayNames(db, usernames));
  return { history, meta: { displayNames } };
}

export { currentNamesOf, readChanges, type Change } from './changes.ts';
export {
  iterateEntries,
  mayChangeField,
  readHistoryAbout,
  readHistoryEntries,
  readNewestHistoryIds,
  readStoredHistories,
} from './history.store.ts';

type State = Pick<StoredRecord, 'values' | 'keywords'> | null;

/**
 * The changes between two states of a record, with the field names of the history; null: it does not exist. In the
 * order of the definition.
 */
export function changesBetween(collection: Collection, before: State, after: State): Change[] {
  const changes: Change[] = [];
  // Without destructuring of lists, which takes 8 KB for each record of a batch.
  collection.fields.forEach((field, index) => {
    const old = before?.values[index] ?? null;
    const now = after?.values[index] ?? null;
    if (old !== now) changes.push({ name: field.historyName, before: old, after: now });
  });
  collection.keywordFields.forEach((field, index) => {
    const old = before?.keywords[index] ?? [];
    const now = after?.keywords[index] ?? [];
    if (!sameList(old, now))
      changes.push({ name: keywordFieldName(field.historyName), before: old, after: now });
  });
  return changes;
}

/** Whether two lists of keywords are the same, order included. */
export function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}
