import * as texts from '#messages/service/bulk-edit-records.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { NewRecord, StoredRecord } from '#server/database/records/record.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { fullCollectionOf } from '#server/database/records/collection-view.ts';
import {
  deleteRecords,
  insertRecords,
  updateRecords,
} from '#server/database/records/write-records.ts';
import type { Outcome } from '#shared/contract/bulk-edit-answers.ts';
import { EntryErrors, textsOf } from '#shared/contract/errors.ts';
import { changeOf, deletionOf, recordHistory } from '../history/history.service.ts';
import { findBlocked, WrittenLookupValues, hasSelfLookups } from '../records/blocking-checks.ts';
import { problemOfField } from './row-texts.ts';
import { checkUnique } from '../records/unique-columns.ts';
import * as store from './bulk-edits.store.ts';
import * as plannedRows from './planned-rows.store.ts';
import {
  NO_ID,
  readSteps,
  type ApplicableStep,
  type RefusedStep,
  type RunningJob,
  type JobStep,
} from './job-steps.ts';
import type { StoredBulkEdit } from './bulk-edits.store.ts';
import type { StoredRow } from './planned-rows.store.ts';
import { valuesAfter } from './checked-rows.ts';
import { iterateCurrentRows } from './planned-fields.ts';

/**
 * The values that a job has yet to write, in the columns which its archive or table looks up in itself. A plan as a whole may
 * meet checks that its first part alone does not.
 */
export async function readPlannedValues(
  database: Database,
  { job, collection }: RunningJob,
  signal: AbortSignal,
): Promise<WrittenLookupValues> {
  const planned = new WrittenLookupValues(collection);
  if (!hasSelfLookups(collection)) return planned;
  const all = fullCollectionOf(collection);
  for await (const row of iterateCurrentRows(database, collection, job, ['changed', 'new'])) {
    if (signal.aborted) break;
    planned.add(all.fields, valuesAfter(all, row, undefined), placeOf(job, row));
  }
  return planned;
}

/** The place of a planned row in the order of applying: new records come after all changes. */
function placeOf({ counts }: StoredBulkEdit, { outcome, position }: StoredRow): number {
  return outcome === 'new' ? counts.total + position : position;
}

/**
 * Applies the next `count` records of a plan: the records, their history and the progress of the job in one transaction. New
 * records come after all changes.
 * @param planned as of `readPlannedValues`; null: not known
 * @returns the job after them; null: it is finished
 */
export async function applySlice(
  db: Transaction,
  running: RunningJob,
  count: number,
  planned: WrittenLookupValues | null,
): Promise<StoredBulkEdit | null> {
  const { job, collection } = running;
  const { steps, isTruncated } = await readSteps(
    db,
    running,
    count,
    hasCreations(job) ? ['changed', 'new'] : ['changed'],
  );
  const last = Math.max(...steps.map(({ row }) => placeOf(job, row)));
  const later = planned?.after(last);
  const { applicable, refused } = await separateRefusedSteps(db, collection, steps, true, later);
  const conflicts = job.counts.conflicts + refused.length;
  if (refused.length > 0 && job.onChanged === 'refuse') {
    await storeRefusals(db, job, refused, 'conflict');
    const pending = job.counts.pending - refused.length;
    await store.updateBulkEdit(db, job.id, {
      state: 'stopped',
      finishedAt: Date.now(),
      counts: { ...job.counts, pending, conflicts },
      message: texts.stoppedByChanges({ kind: collection.kind, count: refused.length }),
    });
    return null;
  }
  await writeSteps(db, running, applicable, 'change');
  const changed = applicable.filter(({ before }) => before !== null);
  await plannedRows.updateOutcome(db, job.id, changed.map(positionOf), 'done');
  await storeRefusals(db, job, refused, 'conflict');
  const pending = job.counts.pending - steps.length;
  const done = job.counts.done + applicable.length;
  const isFinished = (!isTruncated && steps.length < count) || pending === 0;
  const counts = { ...job.counts, pending, done, conflicts };
  await store.updateBulkEdit(db, job.id, {
    counts,
    ...(isFinished ? { state: 'done', finishedAt: Date.now() } : {}),
  });
  return isFinished ? null : { ...job, counts };
}

/** Reverts the next `count` applied records, as `applySlice`; skips those that were changed since. */
export async function revertSlice(
  db: Transaction,
  running: RunningJob,
  count: number,
): Promise<StoredBulkEdit | null> {
  const { job, collection } = running;
  const { steps, isTruncated } = await readSteps(
    db,
    running,
    count,
    hasCreations(job) ? ['created', 'done'] : ['done'],
  );
  // Earlier values are restored even if a check blocks them today.
  const { applicable, refused } = await separateRefusedSteps(db, collection, steps, false);
  await writeSteps(db, running, applicable, 'restore');
  await plannedRows.updateOutcome(db, job.id, applicable.map(positionOf), 'takenback');
  await storeRefusals(db, job, refused, 'left');
  const counts = {
    ...job.counts,
    done: job.counts.done - steps.length,
    takenBack: job.counts.takenBack + applicable.length,
    left: job.counts.left + refused.length,
  };
  const isFinished = !isTruncated && steps.length < count;
  await store.updateBulkEdit(db, job.id, {
    counts,
    ...(isFinished ? { state: 'undone', finishedAt: Date.now() } : {}),
  });
  return isFinished ? null : { ...job, counts };
}

/** Batches of tables always count their creations. */
function hasCreations({ counts }: StoredBulkEdit): boolean {
  return (counts.created ?? 0) > 0;
}

/**
 * Separates steps that can be applied from rejected ones, such as values of unique columns that are in use.
 * @param later the values that later steps write
 */
async function separateRefusedSteps(
  db: Transaction,
  collection: Collection,
  steps: readonly JobStep[],
  isApplied: boolean,
  later?: Pick<WrittenLookupValues, 'has'>,
): Promise<{ applicable: readonly ApplicableStep[]; refused: readonly RefusedStep[] }> {
  const refused = steps.flatMap((step) => ('refused' in step ? [step] : []));
  let applicable = steps.flatMap((step) => ('after' in step ? [step] : []));
  const refuse = (messages: ReadonlyMap<ApplicableStep, string>) => {
    for (const [{ row }, message] of messages) refused.push({ row, refused: message });
    applicable = applicable.filter((step) => !messages.has(step));
    return messages.size;
  };
  // A skipped record keeps its values: those of another may conflict with them, or look up what is then not written.
  for (;;) {
    const blocked = isApplied ? refuse(await blockedSteps(db, collection, applicable, later)) : 0;
    const duplicate = refuse(await duplicateValueSteps(db, collection, applicable));
    if (blocked + duplicate === 0) return { applicable, refused };
  }
}

/** The steps that fail a check of severity `block`, with a message. */
async function blockedSteps(
  db: Transaction,
  collection: Collection,
  applicable: readonly ApplicableStep[],
  later: Pick<WrittenLookupValues, 'has'> | undefined,
): Promise<ReadonlyMap<ApplicableStep, string>> {
  const candidates = applicable.map((step) => ({
    id: step.before?.id ?? null,
    before: step.before?.values ?? null,
    // Deleted records are not checked.
    after: step.after?.values ?? step.before?.values ?? [],
    step,
  }));
  const blocked = await findBlocked(db, collection, candidates, 'all', later);
  const messages = new Map<ApplicableStep, string>();
  for (const [{ step }, problems] of Map.groupBy(blocked, ({ candidate }) => candidate)) {
    // A check that marks several fields is named once.
    const once = new Map(problems.map(({ field, message }) => [message.message, field]));
    const parts = [...once].map(([problem, field]) => problemOfField(field, problem));
    messages.set(step, parts.join(' '));
  }
  return messages;
}

/** The steps whose value of a unique column is in use, with a message. */
async function duplicateValueSteps(
  db: Transaction,
  collection: Collection,
  applicable: readonly ApplicableStep[],
): Promise<ReadonlyMap<ApplicableStep, string>> {
  const errors = new EntryErrors();
  await checkUnique(
    db,
    collection,
    applicable.map(({ before, after }, i) => ({
      before,
      after: after ?? { id: before?.id ?? NO_ID, values: [] },
      paths: { whole: `${i}.`, field: (name) => `${i}.${name}`, keyword: () => `${i}.` },
    })),
    errors,
  );
  const messages = new Map<ApplicableStep, string>();
  for (const [path, problems] of Object.entries(textsOf(errors.messages))) {
    const [i = '', name = ''] = path.split('.');
    const step = applicable[Number(i)];
    if (step) messages.set(step, problemOfField(name || null, problems.join(' ')));
  }
  return messages;
}

/** Writes the records and their history. @param kind of the entries about records that exist before and after */
async function writeSteps(
  db: Transaction,
  { job, collection, writer }: RunningJob,
  applicable: readonly ApplicableStep[],
  kind: 'change' | 'restore',
): Promise<void> {
  if (applicable.length === 0) return;
  const fullCollection = fullCollectionOf(collection);
  const at = Date.now();
  const changed = applicable.flatMap(({ before, after }) =>
    before && after ? [{ before, after }] : [],
  );
  const removed = applicable.flatMap(({ before, after }) => (before && !after ? [before] : []));
  const created = applicable.flatMap(({ row, before, after }) =>
    after && !before
      ? [{ ...after, id: null, document: newDocument(after), position: row.position }]
      : [],
  );
  await deleteRecords(
    db,
    fullCollection,
    removed.map(({ id }) => id),
  );
  await updateRecords(db, fullCollection, changed);
  const ids = await insertRecords(db, fullCollection, created, { at, by: writer.username });
  await plannedRows.updateCreated(
    db,
    job.id,
    created.map(({ position }, i) => ({ position, rowId: ids[i] ?? NO_ID })),
  );
  await recordHistory(db, fullCollection, writer, at, [
    ...removed.map(deletionOf),
    ...changed.map((change) => changeOf(change, kind)),
    ...created.map((after, i) => ({
      kind: 'create' as const,
      id: ids[i] ?? NO_ID,
      version: 1,
      before: null,
      after,
    })),
  ]);
}

/** A new document with the id of its first revision; null: the record belongs to a table. */
function newDocument({ document }: StoredRecord): NewRecord['document'] {
  return document && { documentId: null, revision: document.revision };
}

function positionOf({ row }: JobStep): number {
  return row.position;
}

async function storeRefusals(
  db: Transaction,
  job: StoredBulkEdit,
  refused: readonly RefusedStep[],
  outcome: Outcome,
): Promise<void> {
  const byMessage = Map.groupBy(refused, (step) => step.refused);
  for (const [message, steps] of byMessage) {
    await plannedRows.updateOutcome(db, job.id, steps.map(positionOf), outcome, message);
  }
}
