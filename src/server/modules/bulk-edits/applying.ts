import type { Transaction } from '#server/database/database.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { Table, Collection } from '#server/database/records/collection.ts';
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
import { indexOfName } from '#shared/rules/names.ts';
import {
  changedMeanwhile,
  lockedMessage,
  lockOfAnother,
  type Writer,
} from '../records/records.service.ts';
import { checkUnique } from '../records/unique.ts';
import * as store from './bulk-edits.store.ts';
import type { StoredBulkEdit, StoredRow } from './bulk-edits.store.ts';
import { WORDS } from './words.ts';

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
  if (collection.kind === 'table' && !cut && steps.length < count) {
    const fresh = await takeNew(db, collection, job, count - steps.length, writer);
    steps.push(...fresh.steps);
    more = fresh.cut;
  }
  const { taken, refused } = await sortOut(db, collection, steps);
  const conflicts = job.counts.conflicts + refused.length;
  if (refused.length > 0 && job.onChanged === 'refuse') {
    await tell(db, job, refused, 'conflict');
    const pending = job.counts.pending - refused.length;
    await store.updateBulkEdit(db, job.id, {
      state: 'stopped',
      finishedAt: Date.now(),
      counts: { ...job.counts, pending, conflicts },
      message: `Stopped as ${many(collection, refused.length)} changed meanwhile. What is done can be undone.`,
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
  const { steps, cut } =
    collection.kind === 'table'
      ? await takeSteps(db, collection, writer, job, count, 'created')
      : { steps: [], cut: false };
  let more = cut;
  if (!cut && steps.length < count) {
    const done = await takeSteps(db, collection, writer, job, count - steps.length, 'done');
    steps.push(...done.steps);
    more = done.cut;
  }
  const { taken, refused } = await sortOut(db, collection, steps);
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

async function takeSteps(
  db: Transaction,
  collection: Collection,
  writer: Writer,
  job: StoredBulkEdit,
  count: number,
  outcome: 'changed' | 'done' | 'created',
): Promise<Some> {
  const { rows, cut } = await store.readRevisions(db, job.id, outcome, -1, count, MOST_BYTES);
  const ids = rows.map(({ rowId }) => rowId);
  const found = await readRecords(db, collection, ids, 'lock');
  const [at, by] = [Date.now(), writer.username];
  const { record } = WORDS[collection.kind];
  const steps = rows.map((revision): Step => {
    const before = found.get(revision.rowId);
    const version = outcome === 'changed' ? revision.version : revision.version + 1;
    if (!before) return { revision, refused: `The ${record} was deleted meanwhile.` };
    const lock = lockOfAnother(before, writer);
    if (lock) return { revision, refused: lockedMessage(record, lock).message };
    if (before.version !== version) {
      return { revision, refused: changedMeanwhile(record, before).message };
    }
    if (outcome === 'created') return { revision, before, after: null };
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

/** The values of the plan, or those before it; a message if the definition has changed too much. */
function valuesAfter(
  collection: Collection,
  before: StoredRecord,
  { changes }: StoredRow,
  outcome: 'changed' | 'done',
): Scalar[] | string {
  const values = [...before.values];
  for (const change of changes) {
    const place = indexOfName(collection.fields, change.name);
    const field = collection.fields[place];
    if (!field)
      return `The ${WORDS[collection.kind].collection} has no ${WORDS[collection.kind].field} ${change.name} any more.`;
    const value = outcome === 'changed' ? change.after : change.before;
    // Earlier values are restored even if they are invalid today.
    const checked = outcome === 'changed' ? checkRules(field, value) : null;
    if (checked && !checked.ok) return `${field.name}: ${checked.message}`;
    values[place] = value;
  }
  return values;
}

/** The same for keyword fields. */
function keywordsAfter(
  { keywordFields }: Collection,
  before: StoredRecord,
  { keywordChanges = [] }: StoredRow,
  outcome: 'changed' | 'done',
): readonly (readonly string[])[] | string {
  // Another array counts as changed and is written; tables have none.
  if (keywordChanges.length === 0) return before.keywords;
  const keywords = [...before.keywords];
  for (const change of keywordChanges) {
    const place = keywordFields.findIndex(({ name }) => keywordChangeName(name) === change.name);
    if (place < 0) return `The archive has no keyword field for ${change.name} any more.`;
    keywords[place] = outcome === 'changed' ? change.after : change.before;
  }
  return keywords;
}

/** New records with the values of the plan. */
async function takeNew(
  db: Transaction,
  table: Table,
  job: StoredBulkEdit,
  count: number,
  writer: Writer,
): Promise<Some> {
  const { rows, cut } = await store.readRevisions(db, job.id, 'new', -1, count, MOST_BYTES);
  const [at, by] = [Date.now(), writer.username];
  const steps = rows.map((revision): Step => {
    const values = table.fields.map((): Scalar => null);
    for (const change of revision.changes) {
      const place = indexOfName(table.fields, change.name);
      if (place < 0)
        return { revision, refused: `The table has no column ${change.name} any more.` };
      values[place] = change.after;
    }
    for (const [place, field] of table.fields.entries()) {
      const checked = checkRules(field, values[place] ?? null);
      if (!checked.ok) return { revision, refused: `${field.name}: ${checked.message}` };
    }
    const times = { createdAt: at, changedAt: at, changedBy: by };
    const after = { id: NO_ID, version: 1, ...times, values, keywords: [], document: null };
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
): Promise<{ taken: readonly Taken[]; refused: readonly Refused[] }> {
  const refused = steps.flatMap((step) => ('refused' in step ? [step] : []));
  let taken = steps.flatMap((step) => ('after' in step ? [step] : []));
  // A skipped record keeps its values, which may conflict with those of another.
  for (;;) {
    const messages = await notUnique(db, collection, taken);
    if (messages.size === 0) return { taken, refused };
    for (const [i, message] of messages) {
      const revision = taken[i]?.revision;
      if (revision) refused.push({ revision, refused: message });
    }
    taken = taken.filter((_, i) => !messages.has(i));
  }
}

/** The steps whose value of a unique column is in use, with a message. */
async function notUnique(
  db: Transaction,
  collection: Collection,
  taken: readonly Taken[],
): Promise<ReadonlyMap<number, string>> {
  const errors = new EntryErrors();
  await checkUnique(
    db,
    collection,
    taken.map(({ before, after }, i) => ({
      before,
      after: after ?? { id: before?.id ?? NO_ID, values: [] },
      places: { whole: `${i}.`, field: (name) => `${i}.${name}`, keyword: () => `${i}.` },
    })),
    errors,
  );
  const messages = new Map<number, string>();
  for (const [place, texts] of Object.entries(textsOf(errors.messages))) {
    const [i = '', name = ''] = place.split('.');
    messages.set(Number(i), `${name}: ${texts.join(' ')}`);
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
  const at = Date.now();
  const changed = taken.flatMap(({ before, after }) =>
    before && after ? [{ before, after }] : [],
  );
  const removed = taken.flatMap(({ before, after }) => (before && !after ? [before] : []));
  const created = taken.flatMap(({ revision, before, after }) =>
    after && !before ? [{ ...after, id: null, position: revision.position }] : [],
  );
  await deleteRecords(
    db,
    collection,
    removed.map(({ id }) => id),
  );
  await updateRecords(db, collection, changed);
  const ids = await insertRecords(db, collection, created, { at, by: writer.username });
  await store.updateCreated(
    db,
    job.id,
    created.map(({ position }, i) => ({ position, rowId: ids[i] ?? NO_ID })),
  );
  await recordHistory(db, collection, writer, at, [
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

function many({ kind }: Collection, count: number): string {
  const { record } = WORDS[kind];
  return count === 1
    ? `a ${record} was`
    : `${count.toLocaleString('en')} ${record}s of the same part were`;
}
