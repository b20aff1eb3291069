import { keywordFieldName } from '#shared/rules/names.ts';
import * as texts from '#messages/service/bulk-edits.ts';
import * as recordTexts from '#messages/service/bulk-edit-records.ts';
import type { Transaction } from '#server/database/database.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { Archive } from '#server/database/records/collection.ts';
import type { BulkEdit, FieldChange } from '#shared/rules/bulk-edits.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { sameList } from '../history/history.service.ts';
import type { Writer } from '../records/records.service.ts';
import * as store from './bulk-edits.store.ts';
import * as plannedRows from './planned-rows.store.ts';
import { plannedFields } from './planned-fields.ts';
import type { KeywordsChange, PlannedRow } from './planned-rows.store.ts';

/**
 * Stores the changes of one call as an applied batch, in the transaction of the call, so that it is listed and can
 * be reverted.
 * @param before the revisions before the call, by id
 * @param after the revisions after the call, in list order
 * @returns the id of the batch
 */
export async function storeReceipt(
  db: Transaction,
  archive: Archive,
  writer: Writer,
  before: ReadonlyMap<number, StoredRecord>,
  after: readonly StoredRecord[],
): Promise<number> {
  const { userId, username, sessionId, address, call } = writer;
  if (userId === null) throw new Error('A batch without an owner');
  const rows = after.map((now) => rowOf(archive, before.get(now.id) ?? now, now));
  const at = Date.now();
  const owner = { scope: 'archive', collectionId: archive.id, ownerId: userId } as const;
  const edits = editsOf(archive, rows);
  const plan = { ...owner, ownerName: username, kind: 'edit', edits, fileName: null } as const;
  const id = await store.insertPlan(db, { ...plan, fields: plannedFields(archive) }, at);
  await plannedRows.insertPlannedRows(db, id, 0, rows);
  const changed = rows.filter(({ outcome }) => outcome === 'done').length;
  await store.updateBulkEdit(db, id, {
    state: 'done',
    counts: {
      ...store.NO_COUNTS,
      total: rows.length,
      changed,
      unchanged: rows.length - changed,
      done: changed,
    },
    onChanged: 'refuse',
    actor: { userId, username, sessionId, address, call },
    finishedAt: at,
  });
  return id;
}

/**
 * Marks these revisions of a batch as reverted, in the transaction of the call that restores them.
 * @throws {ApiError} 409 unless it is a completed batch of the user
 */
export async function markReverted(
  db: Transaction,
  archive: Archive,
  writer: Writer,
  id: number,
  revisionIds: readonly number[],
): Promise<void> {
  const job = await store.readBulkEdit(db, archive, id);
  if (job?.ownerId !== writer.userId || job.state !== 'done') {
    throw new ApiError('conflict', texts.noneToUndo);
  }
  const restored = new Set(revisionIds);
  const reverted: number[] = [];
  const notReverted: number[] = [];
  for (let after = -1; ;) {
    const { rows } = await plannedRows.readPlannedRows(db, id, {
      outcome: 'done',
      after,
      order: 'asc',
      limit: PAGE,
      bytes: MAX_BYTES,
    });
    for (const { position, rowId } of rows) {
      (restored.has(rowId) ? reverted : notReverted).push(position);
    }
    const last = rows.at(-1);
    if (!last) break;
    after = last.position;
  }
  await plannedRows.updateOutcome(db, id, reverted, 'takenback');
  await plannedRows.updateOutcome(db, id, notReverted, 'left', recordTexts.changedSince);
  await store.updateBulkEdit(db, id, {
    state: 'undone',
    phase: 'undo',
    counts: { ...job.counts, done: 0, takenBack: reverted.length, left: notReverted.length },
    finishedAt: Date.now(),
  });
}

/** Rows that are read together, and bytes of their changes. */
const PAGE = 1_000;
const MAX_BYTES = 8 * 1024 * 1024;

function rowOf(
  { fields, keywordFields }: Archive,
  before: StoredRecord,
  now: StoredRecord,
): PlannedRow {
  const changes = fields.flatMap(({ name }, index): FieldChange[] => {
    const [old, value] = [before.values[index] ?? null, now.values[index] ?? null];
    return old === value ? [] : [{ name, before: old, after: value }];
  });
  const keywordChanges = keywordFields.flatMap(({ name }, index): KeywordsChange[] => {
    const [old, list] = [before.keywords[index] ?? [], now.keywords[index] ?? []];
    return sameList(old, list) ? [] : [{ name: keywordFieldName(name), before: old, after: list }];
  });
  const { version } = before;
  const outcome = version === now.version ? 'unchanged' : 'done';
  const nothing = { refused: null, message: null };
  return { rowId: now.id, version, outcome, changes, keywordChanges, ...nothing };
}

/** The changes as steps of a batch: the fields that got the same value in all revisions. */
function editsOf({ fields }: Archive, rows: readonly PlannedRow[]): BulkEdit[] {
  return fields.flatMap(({ name: field }): BulkEdit[] => {
    const given = rows.flatMap(({ changes }) => changes.filter(({ name }) => name === field));
    const [first] = given;
    if (!first || given.some(({ after }) => after !== first.after)) return [];
    return first.after === null
      ? [{ field, do: 'clear' }]
      : [{ field, do: 'set', value: first.after }];
  });
}
