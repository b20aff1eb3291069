import type { Selectable, Updateable } from 'kysely';
import type { Transaction } from '#server/database/database.ts';
import { NO_LEASE } from '#server/database/leases.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { CollectionRef } from '#server/database/records/columns.ts';
import type { BulkEditRow } from '#server/database/tables/job-tables.ts';
import type {
  BulkEditCounts,
  BulkEditState,
  OnChanged,
} from '#shared/contract/bulk-edit-answers.ts';
import type { BulkEdit } from '#shared/rules/bulk-edits.ts';
import type { Actor } from '../history/history.service.ts';

/** A batch: a bulk edit, an import or a paste. */
export interface StoredBulkEdit {
  readonly id: number;
  readonly scope: Collection['kind'];
  /** of the archive or data table */
  readonly collectionId: number;
  readonly ownerId: number;
  readonly ownerName: string;
  readonly kind: 'edit' | 'import' | 'paste';
  readonly state: BulkEditState | 'planning' | 'deleted';
  readonly phase: 'apply' | 'undo';
  readonly edits: readonly BulkEdit[];
  /** by the names that the plan uses, in lower case; null: of an older version of Indexdesk */
  readonly fields: Readonly<Record<string, number>> | null;
  /** of the file of an import; null: another batch, or of an older version of Indexdesk */
  readonly fileName: string | null;
  readonly counts: StoredCounts;
  readonly onChanged: OnChanged;
  /** milliseconds since 1970 UTC */
  readonly createdAt: number;
  readonly finishedAt: number | null;
  readonly message: string | null;
  readonly actor: JobActor | null;
}

/** How many findings a plan adds and removes, by check; checks without either are left out. */
type PlannedFindings = Readonly<
  Record<string, { readonly brings: number; readonly removes: number }>
>;

/** The counts with those of findings; missing if nothing was planned, or by an older version. */
export interface StoredCounts extends BulkEditCounts {
  readonly findings?: PlannedFindings;
}

/** The user who applies or reverts a batch. */
export interface JobActor extends Actor {
  readonly sessionId: string | null;
}

export const NO_COUNTS: BulkEditCounts = {
  total: 0,
  changed: 0,
  unchanged: 0,
  invalid: 0,
  locked: 0,
  missing: 0,
  pending: 0,
  done: 0,
  conflicts: 0,
  takenBack: 0,
  left: 0,
};

/** Starts a plan, which is invisible until it is complete. */
export async function insertPlan(
  db: Transaction,
  plan: Pick<
    StoredBulkEdit,
    'scope' | 'collectionId' | 'ownerId' | 'ownerName' | 'kind' | 'edits' | 'fields' | 'fileName'
  >,
  now: number,
): Promise<number> {
  const { id } = await db.k
    .insertInto('bulk_edits')
    .values({
      scope: plan.scope,
      thing_id: plan.collectionId,
      owner_id: plan.ownerId,
      owner_name: plan.ownerName,
      kind: plan.kind,
      state: 'planning',
      phase: 'apply',
      edits: JSON.stringify(plan.edits),
      fields: plan.fields && JSON.stringify(plan.fields),
      file_name: plan.fileName,
      counts: JSON.stringify(NO_COUNTS),
      on_changed: 'leaveOut',
      created_at: now,
      ...NO_LEASE,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export type BulkEditChanges = Partial<
  Pick<
    StoredBulkEdit,
    'state' | 'phase' | 'counts' | 'onChanged' | 'finishedAt' | 'message' | 'actor'
  >
>;

export async function updateBulkEdit(
  db: Transaction,
  id: number,
  changes: BulkEditChanges,
): Promise<void> {
  const { counts, actor, onChanged, finishedAt, ...same } = changes;
  const set: Updateable<BulkEditRow> = { ...same };
  if (counts) set.counts = JSON.stringify(counts);
  if (actor) set.actor = JSON.stringify(actor);
  if (onChanged) set.on_changed = onChanged;
  if (finishedAt !== undefined) set.finished_at = finishedAt;
  await db.k.updateTable('bulk_edits').set(set).where('id', '=', id).execute();
}

function visible(db: Transaction, { kind, id }: CollectionRef) {
  return db.k
    .selectFrom('bulk_edits')
    .selectAll()
    .where('scope', '=', kind)
    .where('thing_id', '=', id)
    .where('state', 'not in', HIDDEN);
}

/** A visible batch, or undefined. A write locks it until its end. */
export async function readBulkEdit(
  db: Transaction,
  collection: CollectionRef,
  id: number,
): Promise<StoredBulkEdit | undefined> {
  const query = visible(db, collection).where('id', '=', id);
  const row = await (db.isWrite ? query.modifyEnd(db.adapter.lockRows) : query).executeTakeFirst();
  return row && bulkEditFromRow(row);
}

/** A job in any state, or undefined. */
export async function readJob(db: Transaction, id: number): Promise<StoredBulkEdit | undefined> {
  const query = db.k.selectFrom('bulk_edits').selectAll().where('id', '=', id);
  const row = await query.executeTakeFirst();
  return row && bulkEditFromRow(row);
}

/**
 * Newest first.
 * @param ownerId null: of all users
 * @param before only those older than this one; null: from the newest on
 */
export async function readBulkEdits(
  db: Transaction,
  collection: CollectionRef,
  ownerId: number | null,
  before: number | null,
  limit: number,
): Promise<StoredBulkEdit[]> {
  let query = visible(db, collection).orderBy('id', 'desc').limit(limit);
  if (ownerId !== null) query = query.where('owner_id', '=', ownerId);
  if (before !== null) query = query.where('id', '<', before);
  return (await query.execute()).map(bulkEditFromRow);
}

const HIDDEN = ['planning', 'deleted'] as const;

export function bulkEditFromRow(row: Selectable<BulkEditRow>): StoredBulkEdit {
  const edits: BulkEdit[] = JSON.parse(row.edits);
  const fields: StoredBulkEdit['fields'] = row.fields === null ? null : JSON.parse(row.fields);
  const counts: StoredCounts = JSON.parse(row.counts);
  const actor: JobActor | null = row.actor === null ? null : JSON.parse(row.actor);
  return {
    id: row.id,
    scope: row.scope,
    collectionId: row.thing_id,
    ownerId: row.owner_id,
    ownerName: row.owner_name,
    kind: row.kind,
    state: row.state,
    phase: row.phase,
    edits,
    fields,
    fileName: row.file_name,
    counts,
    onChanged: row.on_changed,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    message: row.message,
    actor,
  };
}
