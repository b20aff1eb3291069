import type { Db } from '#server/db/database.ts';
import { readRecords } from '#server/db/records/read-records.ts';
import type { StoredRecord } from '#server/db/records/record.ts';
import type { Archive } from '#server/db/records/thing.ts';
import { updateRecords } from '#server/db/records/write-records.ts';
import type { Outcome } from '#shared/bulk-edit-messages.ts';
import { checkRules, type Scalar } from '#shared/values.ts';
import { recordHistory } from '../history/history.service.ts';
import { placeOf } from '../records/entry.ts';
import {
  changedMeanwhile,
  lockedMessage,
  lockOfAnother,
  type Writer,
} from '../records/records.service.ts';
import * as store from './bulk-edits.store.ts';
import type { StoredBulkEdit, StoredRevision } from './bulk-edits.store.ts';

/** Whether a job has more to do. */
export type Progress = 'more' | 'over';

/** What one revision is to become, or why it is left out. */
type Step =
  | {
      readonly revision: StoredRevision;
      readonly before: StoredRecord;
      readonly after: StoredRecord;
    }
  | { readonly revision: StoredRevision; readonly refused: string };

/**
 * Carries out the next `count` revisions of a plan: the revisions, their history and the progress of the job in
 * the one transaction of `db`.
 */
export async function applySome(
  db: Db,
  archive: Archive,
  writer: Writer,
  job: StoredBulkEdit,
  count: number,
): Promise<Progress> {
  const steps = await takeSteps(db, archive, writer, job, count, 'changed');
  const { changed, refused } = sortOut(steps);
  const conflicts = job.counts.conflicts + refused.length;
  if (refused.length > 0 && job.onChanged === 'refuse') {
    await tell(db, job, refused, 'conflict');
    const pending = job.counts.pending - refused.length;
    await store.updateBulkEdit(db, job.id, {
      state: 'stopped',
      finishedAt: Date.now(),
      counts: { ...job.counts, pending, conflicts },
      message: `Stopped as ${many(refused.length)} changed meanwhile. What is done can be taken back.`,
    });
    return 'over';
  }
  await write(db, archive, writer, changed, 'change');
  await store.updateOutcome(db, job.id, changed.map(positionOf), 'done');
  await tell(db, job, refused, 'conflict');
  const pending = job.counts.pending - steps.length;
  const done = job.counts.done + changed.length;
  const over = steps.length < count || pending === 0;
  await store.updateBulkEdit(db, job.id, {
    counts: { ...job.counts, pending, done, conflicts },
    ...(over ? { state: 'done', finishedAt: Date.now() } : {}),
  });
  return over ? 'over' : 'more';
}

/** Takes back the next `count` revisions that are done, as `applySome`; leaves out what was changed since. */
export async function takeBackSome(
  db: Db,
  archive: Archive,
  writer: Writer,
  job: StoredBulkEdit,
  count: number,
): Promise<Progress> {
  const steps = await takeSteps(db, archive, writer, job, count, 'done');
  const { changed, refused } = sortOut(steps);
  await write(db, archive, writer, changed, 'restore');
  await store.updateOutcome(db, job.id, changed.map(positionOf), 'takenback');
  await tell(db, job, refused, 'left');
  const { counts } = job;
  const over = steps.length < count;
  await store.updateBulkEdit(db, job.id, {
    counts: {
      ...counts,
      done: counts.done - steps.length,
      takenBack: counts.takenBack + changed.length,
      left: counts.left + refused.length,
    },
    ...(over ? { state: 'undone', finishedAt: Date.now() } : {}),
  });
  return over ? 'over' : 'more';
}

async function takeSteps(
  db: Db,
  archive: Archive,
  writer: Writer,
  job: StoredBulkEdit,
  count: number,
  outcome: 'changed' | 'done',
): Promise<Step[]> {
  const revisions = await store.readRevisions(db, job.id, outcome, -1, count);
  const ids = revisions.map(({ revisionId }) => revisionId);
  const found = await readRecords(db, archive, ids, 'lock');
  const [at, by] = [Date.now(), writer.username];
  return revisions.map((revision): Step => {
    const before = found.get(revision.revisionId);
    const version = outcome === 'changed' ? revision.version : revision.version + 1;
    if (!before) return { revision, refused: 'The revision was deleted meanwhile.' };
    const lock = lockOfAnother(before, writer);
    if (lock) return { revision, refused: lockedMessage('revision', lock) };
    if (before.version !== version) {
      return { revision, refused: changedMeanwhile('revision', before) };
    }
    const values = valuesAfter(archive, before, revision, outcome);
    if (typeof values === 'string') return { revision, refused: values };
    const after = { ...before, values, version: version + 1, changedAt: at, changedBy: by };
    return { revision, before, after };
  });
}

/** The values of the plan, or those before it; a sentence where the definition has changed too much since. */
function valuesAfter(
  archive: Archive,
  before: StoredRecord,
  { changes }: StoredRevision,
  outcome: 'changed' | 'done',
): Scalar[] | string {
  const values = [...before.values];
  for (const change of changes) {
    const place = placeOf(archive.fields, change.name);
    const field = archive.fields[place];
    if (!field) return `The archive has no index field ${change.name} any more.`;
    const value = outcome === 'changed' ? change.after : change.before;
    // What was there before may come back, as it was allowed then.
    const checked = outcome === 'changed' ? checkRules(field, value) : null;
    if (checked && !checked.ok) return `${field.name}: ${checked.message}`;
    values[place] = value;
  }
  return values;
}

function sortOut(steps: readonly Step[]) {
  const changed = steps.flatMap((step) => ('after' in step ? [step] : []));
  const refused = steps.flatMap((step) => ('refused' in step ? [step] : []));
  return { changed, refused };
}

async function write(
  db: Db,
  archive: Archive,
  writer: Writer,
  changed: readonly { readonly before: StoredRecord; readonly after: StoredRecord }[],
  kind: 'change' | 'restore',
): Promise<void> {
  const [first] = changed;
  if (!first) return;
  await updateRecords(db, archive, changed);
  await recordHistory(
    db,
    archive,
    writer,
    first.after.changedAt,
    changed.map(({ before, after }) => {
      const { id, version } = after;
      return { kind, id, version, before, after };
    }),
  );
}

function positionOf({ revision }: Step): number {
  return revision.position;
}

async function tell(
  db: Db,
  job: StoredBulkEdit,
  refused: readonly { readonly revision: StoredRevision; readonly refused: string }[],
  outcome: Outcome,
): Promise<void> {
  const byMessage = Map.groupBy(refused, (step) => step.refused);
  for (const [message, steps] of byMessage) {
    await store.updateOutcome(db, job.id, steps.map(positionOf), outcome, message);
  }
}

function many(count: number): string {
  return count === 1
    ? 'a revision was'
    : `${count.toLocaleString('en')} revisions of the same part were`;
}
