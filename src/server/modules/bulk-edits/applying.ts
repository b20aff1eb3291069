import * as texts from '#messages/service/bulk-edit-records.ts';
import * as recordsTexts from '#messages/service/records.ts';
import type { Transaction } from '#server/database/database.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { NewRecord, StoredRecord } from '#server/database/records/record.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { defaultOf, isWritable, wholeOf } from '#server/database/records/collection-view.ts';
import {
  deleteRecords,
  insertRecords,
  updateRecords,
} from '#server/database/records/write-records.ts';
import type { Outcome } from '#shared/contract/bulk-edit-answers.ts';
import { EntryErrors, textsOf } from '#shared/contract/errors.ts';
import '#shared/values/pattern-engine.ts';
import { checkRules, type Scalar } from '#shared/values/values.ts';
import { keywordChangeName, recordHistory } from '../history/history.service.ts';
import { findByName, indexOfName } from '#shared/rules/names.ts';
import {
  changedMeanwhile,
  lockedMessage,
  lockOfAnother,
  type Writer,
} from '../records/records.service.ts';
import { findBlocked } from '../records/blocking-checks.ts';
import { checkUnique } from '../records/unique.ts';
import * as store from './bulk-edits.store.ts';
import type { StoredBulkEdit, StoredRow } from './bulk-edits.store.ts';
import { readPresentRows, type PresentRow } from './planned-fields.ts';

/** Whether a job has more to do. */
export type Progress = 'more' | 'over';

/** The change of one record, or why it is skipped; null before: created, null after: deleted. */
type Step =
  | {
      readonly revision: StoredRow;
      readonly before: StoredRecord | null;
      readonly after: StoredRecord | null;
    }
  | Refused;

/** The rows of one part, and whether large texts leave some of them to the next. */
interface Some {
  readonly steps: Step[];
  readonly cut: boolean;
}

/** The maximum size of the changes of one part: large texts take longer than earlier parts. */
const MOST_BYTES = 1024 * 1024;

interface Refused {
  readonly revision: StoredRow;
  readonly refused: string;
}

/**
 * Applies the next `count` records of a plan: the records, their history and the progress of the job in one transaction. New
 * records come after all changes.
 */
export async function applyBatch(
  db: Transaction,
  collection: Collection,
  writer: Writer,
  job: StoredBulkEdit,
  count: number,
): Promise<Progress> {
  const { steps, cut } = await takeSteps(db, collection, writer, job, count, 'changed');
  let more = cut;
  if (hasCreations(job) && !cut && steps.length < count) {
    const fresh = await takeNew(db, collection, job, count - steps.length, writer);
    steps.push(...fresh.steps);
    more = fresh.cut;
  }
  const { taken, refused } = await sortOut(db, collection, steps, true);
  const conflicts = job.counts.conflicts + refused.length;
  if (refused.length > 0 && job.onChanged === 'refuse') {
    await tell(db, job, refused, 'conflict');
    const pending = job.counts.pending - refused.length;
    await store.updateBulkEdit(db, job.id, {
      state: 'stopped',
      finishedAt: Date.now(),
      counts: { ...job.counts, pending, conflicts },
      message: texts.stoppedByChanges({ kind: collection.kind, count: refused.length }),
    });
    return 'over';
  }
  await write(db, collection, writer, job, taken, 'change');
  const changed = taken.filter(({ before }) => before !== null);
  await store.updateOutcome(db, job.id, changed.map(positionOf), 'done');
  await tell(db, job, refused, 'conflict');
  const pending = job.counts.pending - steps.length;
  const done = job.counts.done + taken.length;
  const over = (!more && steps.length < count) || pending === 0;
  await store.updateBulkEdit(db, job.id, {
    counts: { ...job.counts, pending, done, conflicts },
    ...(over ? { state: 'done', finishedAt: Date.now() } : {}),
  });
  return over ? 'over' : 'more';
}

/** Reverts the next `count` applied records, as `applyBatch`; skips those that were changed since. */
export async function revertBatch(
  db: Transaction,
  collection: Collection,
  writer: Writer,
  job: StoredBulkEdit,
  count: number,
): Promise<Progress> {
  const { steps, cut } = hasCreations(job)
    ? await takeSteps(db, collection, writer, job, count, 'created')
    : { steps: [], cut: false };
  let more = cut;
  if (!cut && steps.length < count) {
    const done = await takeSteps(db, collection, writer, job, count - steps.length, 'done');
    steps.push(...done.steps);
    more = done.cut;
  }
  // Earlier values are restored even if a check blocks them today.
  const { taken, refused } = await sortOut(db, collection, steps, false);
  await write(db, collection, writer, job, taken, 'restore');
  await store.updateOutcome(db, job.id, taken.map(positionOf), 'takenback');
  await tell(db, job, refused, 'left');
  const { counts } = job;
  const over = !more && steps.length < count;
  await store.updateBulkEdit(db, job.id, {
    counts: {
      ...counts,
      done: counts.done - steps.length,
      takenBack: counts.takenBack + taken.length,
      left: counts.left + refused.length,
    },
    ...(over ? { state: 'undone', finishedAt: Date.now() } : {}),
  });
  return over ? 'over' : 'more';
}

/** Bulk edits of tables always count their creations. */
function hasCreations({ counts }: StoredBulkEdit): boolean {
  return (counts.created ?? 0) > 0;
}

async function takeSteps(
  db: Transaction,
  collection: Collection,
  writer: Writer,
  job: StoredBulkEdit,
  count: number,
  outcome: 'changed' | 'done' | 'created',
): Promise<Some> {
  const { rows, cut } = await readPresentRows(db, collection, job, outcome, -1, count, MOST_BYTES);
  const ids = rows.map(({ rowId }) => rowId);
  const found = await readRecords(db, wholeOf(collection), ids, 'lock');
  const [at, by] = [Date.now(), writer.username];
  const { kind } = collection;
  const record = kind === 'archive' ? 'revision' : 'record';
  const steps = rows.map((revision): Step => {
    const before = found.get(revision.rowId);
    const version = outcome === 'changed' ? revision.version : revision.version + 1;
    if (!before) return { revision, refused: texts.recordDeleted(kind) };
    const lock = lockOfAnother(before, writer);
    if (lock) return { revision, refused: lockedMessage(record, lock).message };
    if (before.version !== version) {
      return { revision, refused: changedMeanwhile(record, before).message };
    }
    if (outcome === 'created') return { revision, before, after: null };
    const missing = missingField(collection, revision);
    if (missing !== null) return { revision, refused: missing };
    const values = valuesAfter(collection, before, revision, outcome);
    if (typeof values === 'string') return { revision, refused: values };
    const keywords = keywordsAfter(collection, before, revision, outcome);
    if (typeof keywords === 'string') return { revision, refused: keywords };
    const after = {
      ...before,
      values,
      keywords,
      version: version + 1,
      changedAt: at,
      changedBy: by,
    };
    return { revision, before, after };
  });
  return { steps, cut };
}

/** Says that a field of the plan does not exist any more, even where another has its name now; null: all do. */
function missingField({ kind }: Collection, { missing }: PresentRow): string | null {
  const [name] = missing;
  return name === undefined ? null : texts.fieldRemoved({ kind, name });
}

/** The values of the plan, or those before it; a message if the definition has changed too much. */
function valuesAfter(
  collection: Collection,
  before: StoredRecord,
  { changes }: StoredRow,
  outcome: 'changed' | 'done',
): Scalar[] | string {
  const values = [...before.values];
  for (const change of changes) {
    const field = findByName(collection.fields, change.name);
    if (!field) return texts.fieldRemoved({ kind: collection.kind, name: change.name });
    if (!isWritable(collection, field)) return readOnly(field.name);
    const place = indexOfName(wholeOf(collection).fields, change.name);
    const value = outcome === 'changed' ? change.after : change.before;
    // Earlier values are restored even if they are invalid today.
    const checked = outcome === 'changed' ? checkRules(field, value) : null;
    if (checked && !checked.ok)
      return texts.fieldProblem({ name: field.name, problem: checked.message });
    values[place] = value;
  }
  return values;
}

function readOnly(name: string): string {
  return texts.fieldProblem({ name, problem: recordsTexts.fieldReadOnly.message });
}

/** The same for keyword fields. */
function keywordsAfter(
  collection: Collection,
  before: Pick<StoredRecord, 'keywords'> | null,
  { keywordChanges = [] }: StoredRow,
  outcome: 'changed' | 'done',
): readonly (readonly string[])[] | string {
  // Another array counts as changed and is written; tables have none.
  const old = before?.keywords ?? wholeOf(collection).keywordFields.map(() => []);
  if (keywordChanges.length === 0) return old;
  const keywords = [...old];
  for (const change of keywordChanges) {
    const isNamed = ({ name }: { readonly name: string }) =>
      keywordChangeName(name) === change.name;
    const field = collection.keywordFields.find(isNamed);
    if (!field) return texts.keywordFieldRemoved(change.name);
    if (!isWritable(collection, field)) return readOnly(field.name);
    const place = wholeOf(collection).keywordFields.findIndex(isNamed);
    keywords[place] = outcome === 'changed' ? change.after : change.before;
  }
  return keywords;
}

/** New records with the values of the plan. */
async function takeNew(
  db: Transaction,
  collection: Collection,
  job: StoredBulkEdit,
  count: number,
  writer: Writer,
): Promise<Some> {
  const { rows, cut } = await readPresentRows(db, collection, job, 'new', -1, count, MOST_BYTES);
  const [at, by] = [Date.now(), writer.username];
  const steps = rows.map((revision): Step => {
    const missing = missingField(collection, revision);
    if (missing !== null) return { revision, refused: missing };
    const whole = wholeOf(collection);
    const fieldOf = (name: string) =>
      findByName<Collection['fields'][number]>(collection.fields, name);
    // What the writer cannot give has its default.
    const values = whole.fields.map((field): Scalar => {
      const seen = fieldOf(field.name);
      return seen && isWritable(collection, seen) ? null : defaultOf(field);
    });
    for (const change of revision.changes) {
      const field = fieldOf(change.name);
      if (!field) {
        const { kind } = collection;
        return { revision, refused: texts.fieldRemoved({ kind, name: change.name }) };
      }
      if (!isWritable(collection, field) && change.after !== defaultOf(field)) {
        return { revision, refused: readOnly(field.name) };
      }
      values[indexOfName(whole.fields, change.name)] = change.after;
    }
    for (const [place, field] of whole.fields.entries()) {
      const seen = fieldOf(field.name);
      if (!seen || !isWritable(collection, seen)) continue;
      const checked = checkRules(field, values[place] ?? null);
      if (!checked.ok) {
        const { name } = field;
        return { revision, refused: texts.fieldProblem({ name, problem: checked.message }) };
      }
    }
    const times = { createdAt: at, changedAt: at, changedBy: by };
    const keywords = keywordsAfter(collection, null, revision, 'changed');
    if (typeof keywords === 'string') return { revision, refused: keywords };
    const document =
      collection.kind === 'archive' ? { documentId: NO_ID, revision: 1, lock: null } : null;
    const after = { id: NO_ID, version: 1, ...times, values, keywords, document };
    return { revision, before: null, after };
  });
  return { steps, cut };
}

/** The values of a new record. */
const NO_ID = -1;

type Taken = Exclude<Step, Refused>;

/** Separates steps that can be applied from refused ones, such as values of unique columns that are in use. */
async function sortOut(
  db: Transaction,
  collection: Collection,
  steps: readonly Step[],
  isApplied: boolean,
): Promise<{ taken: readonly Taken[]; refused: readonly Refused[] }> {
  const refused = steps.flatMap((step) => ('refused' in step ? [step] : []));
  let taken = steps.flatMap((step) => ('after' in step ? [step] : []));
  if (isApplied) {
    const messages = await blockedSteps(db, collection, taken);
    refused.push(...refusedOf(taken, messages));
    taken = taken.filter((_, i) => !messages.has(i));
  }
  // A skipped record keeps its values, which may conflict with those of another.
  for (;;) {
    const messages = await notUnique(db, collection, taken);
    if (messages.size === 0) return { taken, refused };
    refused.push(...refusedOf(taken, messages));
    taken = taken.filter((_, i) => !messages.has(i));
  }
}

function refusedOf(
  steps: readonly Taken[],
  messages: ReadonlyMap<number, string>,
): readonly Refused[] {
  return [...messages].flatMap(([i, message]) => {
    const revision = steps[i]?.revision;
    return revision ? [{ revision, refused: message }] : [];
  });
}

/** The steps that do not meet a check of severity `block`, with a message. */
async function blockedSteps(
  db: Transaction,
  collection: Collection,
  taken: readonly Taken[],
): Promise<ReadonlyMap<number, string>> {
  const candidates = taken.map(({ before, after }) => ({
    before: before?.values ?? null,
    // What is deleted is not checked: nothing of it changes.
    after: after?.values ?? before?.values ?? [],
  }));
  const blocked = await findBlocked(db, collection, candidates);
  return new Map(
    blocked.map(({ candidate, field, message }) => [
      candidate,
      texts.fieldProblem({ name: field, problem: message.message }),
    ]),
  );
}

/** The steps whose value of a unique column is in use, with a message. */
async function notUnique(
  db: Transaction,
  collection: Collection,
  taken: readonly Taken[],
): Promise<ReadonlyMap<number, string>> {
  const errors = new EntryErrors();
  const isVisible = ({ name }: { readonly name: string }) =>
    findByName(collection.fields, name) !== undefined;
  await checkUnique(
    db,
    wholeOf(collection),
    taken.map(({ before, after }, i) => ({
      before,
      after: after ?? { id: before?.id ?? NO_ID, values: [] },
      places: { whole: `${i}.`, field: (name) => `${i}.${name}`, keyword: () => `${i}.` },
    })),
    errors,
    isVisible,
  );
  const messages = new Map<number, string>();
  for (const [place, problems] of Object.entries(textsOf(errors.messages))) {
    const [i = '', name = ''] = place.split('.');
    const problem = problems.join(' ');
    messages.set(Number(i), name === '' ? problem : texts.fieldProblem({ name, problem }));
  }
  return messages;
}

async function write(
  db: Transaction,
  collection: Collection,
  writer: Writer,
  job: StoredBulkEdit,
  taken: readonly Taken[],
  kind: 'change' | 'restore',
): Promise<void> {
  if (taken.length === 0) return;
  const whole = wholeOf(collection);
  const at = Date.now();
  const changed = taken.flatMap(({ before, after }) =>
    before && after ? [{ before, after }] : [],
  );
  const removed = taken.flatMap(({ before, after }) => (before && !after ? [before] : []));
  const created = taken.flatMap(({ revision, before, after }) =>
    after && !before
      ? [{ ...after, id: null, document: newDocument(after), position: revision.position }]
      : [],
  );
  await deleteRecords(
    db,
    whole,
    removed.map(({ id }) => id),
  );
  await updateRecords(db, whole, changed);
  const ids = await insertRecords(db, whole, created, { at, by: writer.username });
  await store.updateCreated(
    db,
    job.id,
    created.map(({ position }, i) => ({ position, rowId: ids[i] ?? NO_ID })),
  );
  await recordHistory(db, whole, writer, at, [
    ...removed.map((before) => ({
      kind: 'delete' as const,
      id: before.id,
      version: before.version + 1,
      before,
      after: null,
    })),
    ...changed.map(({ before, after }) => {
      const { id, version } = after;
      return { kind, id, version, before, after };
    }),
    ...created.map((after, i) => ({
      kind: 'create' as const,
      id: ids[i] ?? NO_ID,
      version: 1,
      before: null,
      after,
    })),
  ]);
}

/** A document of its own, with the id of its first revision; null: the record is of a table. */
function newDocument({ document }: StoredRecord): NewRecord['document'] {
  return document && { documentId: null, revision: document.revision };
}

function positionOf({ revision }: Step): number {
  return revision.position;
}

async function tell(
  db: Transaction,
  job: StoredBulkEdit,
  refused: readonly Refused[],
  outcome: Outcome,
): Promise<void> {
  const byMessage = Map.groupBy(refused, (step) => step.refused);
  for (const [message, steps] of byMessage) {
    await store.updateOutcome(db, job.id, steps.map(positionOf), outcome, message);
  }
}
