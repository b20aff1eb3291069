import * as texts from '#messages/service/bulk-edit-records.ts';
import * as recordsTexts from '#messages/service/records.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { fullCollectionOf, isWritable } from '#server/database/records/collection-view.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import { findByName, indexOfName, keywordFieldName } from '#shared/rules/names.ts';
import '#shared/values/pattern-engine.ts';
import { checkRules } from '#shared/values/value-rules.ts';
import type { Scalar } from '#shared/values/value-type.ts';
import {
  changedMeanwhile,
  lockedMessage,
  lockOfAnother,
  type Writer,
} from '../records/records.service.ts';
import { sameList } from '../history/history.service.ts';
import type { StoredBulkEdit } from './bulk-edits.store.ts';
import type { StoredRow } from './planned-rows.store.ts';
import { knownFields, readCurrentRows, type CurrentRow } from './planned-fields.ts';

/** A job that may run. */
export interface RunningJob {
  readonly job: StoredBulkEdit;
  /** as visible to the writer */
  readonly collection: Collection;
  readonly writer: Writer;
}

/** The change of one record, or why it is skipped; null before: created, null after: deleted. */
export type JobStep = ApplicableStep | RefusedStep;

export interface ApplicableStep {
  readonly row: StoredRow;
  readonly before: StoredRecord | null;
  readonly after: StoredRecord | null;
}

export interface RefusedStep {
  readonly row: StoredRow;
  /** why it is skipped */
  readonly refused: string;
}

/** The steps of one slice of a job, and whether large texts postpone some of them to the next. */
interface JobSteps {
  readonly steps: JobStep[];
  readonly isTruncated: boolean;
}

/** The maximum size of the changes of one slice, in bytes: large texts take longer than those of earlier slices. */
const MAX_SLICE_BYTES = 1024 * 1024;

/** `changed`, `new`: to be applied; `done`: a change to be reverted; `created`: a new record to be deleted. */
type StepOutcome = 'changed' | 'done' | 'created' | 'new';

/**
 * The steps of the next `count` records of a plan that have these outcomes, one outcome after the other. Changes are
 * reverted from the last to the first, because one may have taken a unique value that an earlier one had freed.
 */
export async function readSteps(
  db: Transaction,
  running: RunningJob,
  count: number,
  outcomes: readonly StepOutcome[],
): Promise<JobSteps> {
  const steps: JobStep[] = [];
  let isTruncated = false;
  for (const outcome of outcomes) {
    if (isTruncated || steps.length >= count) break;
    const read = await readCurrentRows(db, running.collection, running.job, {
      outcome,
      after: -1,
      order: outcome === 'done' ? 'desc' : 'asc',
      limit: count - steps.length,
      bytes: MAX_SLICE_BYTES,
    });
    isTruncated = read.isTruncated;
    steps.push(
      ...(outcome === 'new'
        ? creationSteps(running, read.rows)
        : await changeSteps(db, running, read.rows, outcome)),
    );
  }
  return { steps, isTruncated };
}

/** The steps of existing records, which are locked. */
async function changeSteps(
  db: Transaction,
  { collection, writer }: RunningJob,
  rows: readonly CurrentRow[],
  outcome: Exclude<StepOutcome, 'new'>,
): Promise<JobStep[]> {
  const ids = rows.map(({ rowId }) => rowId);
  const found = await readRecords(db, fullCollectionOf(collection), ids, 'lock');
  const [at, by] = [Date.now(), writer.username];
  const { kind } = collection;
  return rows.map((row): JobStep => {
    const before = found.get(row.rowId);
    if (!before) return { row, refused: texts.recordDeleted(kind) };
    const lock = lockOfAnother(before, writer);
    if (lock) return { row, refused: lockedMessage(kind, lock).message };
    // A change is also reverted after changes of other fields.
    const version = { changed: row.version, done: before.version, created: row.version + 1 };
    if (before.version !== version[outcome]) {
      return { row, refused: changedMeanwhile(kind, before).message };
    }
    if (outcome === 'created') return { row, before, after: null };
    const missing = missingField(collection, row);
    if (missing !== null) return { row, refused: missing };
    const values = valuesAfter(collection, before, row, outcome);
    if (typeof values === 'string') return { row, refused: values };
    const keywords = keywordsAfter(collection, before, row, outcome);
    if (typeof keywords === 'string') return { row, refused: keywords };
    const written = { version: before.version + 1, changedAt: at, changedBy: by };
    return { row, before, after: { ...before, values, keywords, ...written } };
  });
}

/** The message that a field of the plan no longer exists, even if another field has its name now; null: all exist. */
function missingField({ kind }: Collection, { missing }: CurrentRow): string | null {
  const [name] = missing;
  return name === undefined ? null : texts.fieldRemoved({ kind, name });
}

/**
 * The planned values, or those before them; a message if the definition has changed too much, or a planned field has been
 * changed since.
 */
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
    const index = indexOfName(fullCollectionOf(collection).fields, change.name);
    const [from, value] = fromTo(change, outcome);
    if (values[index] !== from) return changedMeanwhile(collection.kind, before).message;
    // Earlier values are restored even if they are invalid today.
    const checked = outcome === 'changed' ? checkRules(field, value) : null;
    if (checked && !checked.ok)
      return texts.fieldProblem({ name: field.name, problem: checked.message });
    values[index] = value;
  }
  return values;
}

function readOnly(name: string): string {
  return texts.fieldProblem({ name, problem: recordsTexts.fieldReadOnly.message });
}

/** What a field has before a step of this outcome, and after it. */
function fromTo<Value>(
  { before, after }: { readonly before: Value; readonly after: Value },
  outcome: 'changed' | 'done',
): readonly [Value, Value] {
  return outcome === 'changed' ? [before, after] : [after, before];
}

/** As `valuesAfter`, for keyword fields. */
function keywordsAfter(
  collection: Collection,
  before: StoredRecord | null,
  { keywordChanges }: StoredRow,
  outcome: 'changed' | 'done',
): readonly (readonly string[])[] | string {
  // A different array counts as changed and is written; tables have none.
  const old = before?.keywords ?? fullCollectionOf(collection).keywordFields.map(() => []);
  if (keywordChanges.length === 0) return old;
  const keywords = [...old];
  for (const change of keywordChanges) {
    const isNamed = ({ name }: { readonly name: string }) => keywordFieldName(name) === change.name;
    const field = collection.keywordFields.find(isNamed);
    if (!field) return texts.keywordFieldRemoved(change.name);
    if (!isWritable(collection, field)) return readOnly(field.name);
    const index = fullCollectionOf(collection).keywordFields.findIndex(isNamed);
    const [from, list] = fromTo(change, outcome);
    if (before && !sameList(keywords[index] ?? [], from)) {
      return changedMeanwhile(collection.kind, before).message;
    }
    keywords[index] = list;
  }
  return keywords;
}

/** The steps of new records, with the values of the plan. */
function creationSteps(
  { job, collection, writer }: RunningJob,
  rows: readonly CurrentRow[],
): JobStep[] {
  const isKnown = knownFields(job);
  const [at, by] = [Date.now(), writer.username];
  const document =
    collection.kind === 'archive' ? { documentId: NO_ID, revision: 1, lock: null } : null;
  const created = { id: NO_ID, version: 1, createdAt: at, changedAt: at, changedBy: by, document };
  return rows.map((row): JobStep => {
    const missing = missingField(collection, row);
    if (missing !== null) return { row, refused: missing };
    const values = newValues(collection, row, isKnown);
    if (typeof values === 'string') return { row, refused: values };
    const keywords = keywordsAfter(collection, null, row, 'changed');
    if (typeof keywords === 'string') return { row, refused: keywords };
    return { row, before: null, after: { ...created, values, keywords } };
  });
}

/**
 * The planned values of a new record; a message if the definition has changed too much.
 * @param isKnown whether the plan says what a field gets
 */
function newValues(
  collection: Collection,
  { changes }: StoredRow,
  isKnown: (field: Field) => boolean,
): Scalar[] | string {
  const { fields } = fullCollectionOf(collection);
  const writable = fields.map(({ name }) => {
    const visible = findByName(collection.fields, name);
    return visible !== undefined && isWritable(collection, visible);
  });
  // Fields that the writer cannot set, or could not when the plan was made, have their default.
  const values = fields.map((field, i): Scalar =>
    writable[i] && isKnown(field) ? null : field.default,
  );
  for (const { name, after } of changes) {
    const field = findByName(collection.fields, name);
    if (!field) return texts.fieldRemoved({ kind: collection.kind, name });
    if (!isWritable(collection, field) && after !== field.default) return readOnly(field.name);
    values[indexOfName(fields, name)] = after;
  }
  for (const [i, field] of fields.entries()) {
    const checked = writable[i] ? checkRules(field, values[i] ?? null) : null;
    if (checked && !checked.ok)
      return texts.fieldProblem({ name: field.name, problem: checked.message });
  }
  return values;
}

type Field = Collection['fields'][number];

/** The id of a record that is not stored yet. */
export const NO_ID = -1;
