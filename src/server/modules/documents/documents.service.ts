import * as texts from '#messages/service/records.ts';
import type { Transaction } from '#server/database/database.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import { updateLock } from '#server/database/records/write-records.ts';
import { EntryErrors } from '#shared/contract/errors.ts';
import type { IndexDataBody, RevisionsBody } from '#shared/contract/requests.ts';
import type { Archive } from '#server/database/records/collection.ts';
import { fullCollectionOf, narrowRecord } from '#server/database/records/collection-view.ts';
import { isoTime } from '#server/lib/iso-time.ts';
import { filesByRevision, filesChange } from '../files/files.service.ts';
import { recordHistory } from '../history/history.service.ts';
import {
  noRecord,
  readForWriting,
  planChanges,
  planRemovals,
  singleRecord,
  type ChangedRecords,
  type ChangeEntry,
  type ErrorPaths,
  type Writer,
} from '../records/records.service.ts';
import { executePlan, type WritePlan } from '../records/write-plan.ts';

/** Where the errors of a call about one revision are reported. */
export const SINGLE_PATHS: ErrorPaths = {
  whole: '-',
  field: (name) => `indexFields.${name}`,
  keyword: (name) => `keywordFields.${name}`,
};

function batchPaths(revisionId: number): ErrorPaths {
  const whole = `revisions.${revisionId}`;
  return {
    whole,
    field: (name) => `${whole}.indexFields.${name}`,
    keyword: (name) => `${whole}.keywordFields.${name}`,
  };
}

/** `PATCH`: the named fields only; `PUT`: all index fields are required. */
export type WriteMode = 'PATCH' | 'PUT';

interface RevisionChange {
  readonly mode: WriteMode;
  readonly revisionId: number;
  readonly body: IndexDataBody;
  readonly ifMatch: string | null;
}

/** Changes the index data of one revision (docs/interface/rest-interface.md, section 4.1). */
export async function changeRevision(
  db: Transaction,
  archive: Archive,
  writer: Writer,
  { mode, revisionId, body, ifMatch }: RevisionChange,
): Promise<StoredRecord> {
  const entry = toEntry(revisionId, SINGLE_PATHS, mode, body, ifMatch);
  const plan = await planEntries(db, archive, writer, [entry], { mode, single: true });
  return singleRecord((await executePlan(db, plan)).records);
}

interface RevisionChanges extends RevisionsBody {
  readonly mode: WriteMode;
  /** the expected version of revisions whose entry names none; null: any */
  readonly ifMatch: string | null;
}

/**
 * Plans to change the index data of several revisions, all or none (docs/interface/rest-interface.md, section
 * 4.2).
 */
export function planRevisionChanges(
  db: Transaction,
  archive: Archive,
  writer: Writer,
  { mode, revisions, ifMatch }: RevisionChanges,
): Promise<WritePlan<ChangedRecords>> {
  const entries = revisions.map((revision) => {
    const { revisionId: id } = revision;
    return toEntry(id, batchPaths(id), mode, revision, revision.ifMatch ?? ifMatch);
  });
  return planEntries(db, archive, writer, entries, { mode, single: false });
}

async function planEntries(
  db: Transaction,
  archive: Archive,
  writer: Writer,
  entries: readonly ChangeEntry[],
  { mode, single }: { readonly mode: WriteMode; readonly single: boolean },
): Promise<WritePlan<ChangedRecords>> {
  const errors = new EntryErrors();
  for (const { sent, paths } of mode === 'PATCH' ? entries : []) {
    if (sent.values.length === 0 && sent.keywords.length === 0) {
      errors.add('validation_failed', paths.whole, texts.nothingNamed);
    }
  }
  return planChanges(db, archive, writer, entries, { single, errors });
}

function toEntry(
  id: number,
  paths: ErrorPaths,
  mode: WriteMode,
  { indexFields = [], keywordFields = [] }: IndexDataBody,
  ifMatch: string | null,
): ChangeEntry {
  const sent = { values: indexFields, keywords: keywordFields };
  return { id, paths, ifMatch, requiresAllFields: mode === 'PUT', sent };
}

interface LockChange {
  readonly revisionId: number;
  readonly locked: boolean;
  readonly ifMatch: string | null;
}

/**
 * Locks a revision for the caller, or unlocks it. A lock ends with the holder's session.
 * @throws {ApiError} 404, 423 if another user has the lock, 412
 */
export async function setLock(
  db: Transaction,
  archive: Archive,
  writer: Writer,
  { revisionId, locked, ifMatch }: LockChange,
): Promise<StoredRecord> {
  const errors = new EntryErrors();
  const target = { id: revisionId, paths: SINGLE_PATHS, ifMatch };
  const found = await readForWriting(db, archive, writer, [target], errors);
  errors.throwIfAny(true);
  const record = found.get(revisionId);
  if (!record?.document || writer.sessionId === null) throw noRecord(archive, revisionId);
  const before = record.document.lock;
  if (locked === (before !== null)) return narrowRecord(archive, record);
  const at = Date.now();
  const lock = locked ? { by: writer.username, at, sessionId: writer.sessionId } : null;
  const version = record.version + 1;
  await updateLock(db, archive, revisionId, version, lock);
  const lockState = (held: typeof lock) => held && { by: held.by, at: isoTime(held.at) };
  await recordHistory(db, fullCollectionOf(archive), writer, at, [
    {
      kind: 'lock',
      id: revisionId,
      version,
      before: record,
      after: record,
      otherChanges: [
        { name: 'document.locked', before: lockState(before), after: lockState(lock) },
      ],
    },
  ]);
  const changed = { ...record, version, document: { ...record.document, lock } };
  return narrowRecord(archive, changed);
}

/**
 * Deletes a revision. Its history and its stored files stay, so that it can be restored.
 * @throws {ApiError} 404, 423, 412
 */
export async function deleteRevision(
  db: Transaction,
  archive: Archive,
  writer: Writer,
  revisionId: number,
  ifMatch: string | null,
): Promise<void> {
  const files = (await filesByRevision(db, archive, [revisionId])).get(revisionId) ?? [];
  const target = { id: revisionId, paths: SINGLE_PATHS, ifMatch };
  const names = files.map(({ name }) => name);
  const otherChanges = names.length > 0 ? [filesChange(names, [])] : [];
  const plan = await planRemovals(db, archive, writer, [target], { single: true, otherChanges });
  await executePlan(db, plan);
}
