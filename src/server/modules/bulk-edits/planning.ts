import * as texts from '#messages/service/bulk-edits.ts';
import * as recordTexts from '#messages/service/bulk-edit-records.ts';
import * as importTexts from '#messages/service/import-rows.ts';
import { yieldToEventLoop } from '#server/database/cooperative-yield.ts';
import { READ_COMMITTED, type Database, type Transaction } from '#server/database/database.ts';
import { readRecords } from '#server/database/records/read-records.ts';
import type { StoredRecord } from '#server/database/records/record.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { BulkEdit, EditOutcome } from '#shared/rules/bulk-edits.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { lockedMessage, lockOfAnother, type Writer } from '../records/records.service.ts';
import { checkRows } from './checked-rows.ts';
import { problemsOfFields } from './row-texts.ts';
import { markOldestPlansDeleted } from './bulk-edit-removal.ts';
import * as store from './bulk-edits.store.ts';
import * as plannedRows from './planned-rows.store.ts';
import { characterCount, charactersOf } from './character-count.ts';
import { PlanTally } from './plan-tally.ts';
import { plannedFields } from './planned-fields.ts';
import type { StoredBulkEdit, StoredCounts } from './bulk-edits.store.ts';
import { NO_CHANGES, type PlannedRow, type ReplacingRow } from './planned-rows.store.ts';

/** The maximum number of unapplied plans, per user and archive or data table. */
const MAX_PLANS = 50;

/** Records that are read together, and stored together; few, so that other requests run in between. */
const READ_BATCH_SIZE = 100;
export const INITIAL_BATCH_SIZE = 10;
const STORE_BATCH_SIZE = 200;
/** The approximate characters that are read or stored together. */
export const MAX_BATCH_CHARACTERS = 2_000_000;
/** The time limit for a plan of any kind, in milliseconds. */
export const MAX_PLAN_TIME = 5 * 60_000;
/** The time limit for a plan of edits, in milliseconds. */
const MAX_EDITS_TIME = 60_000;

/** The input of a plan of edits. */
interface PlanSource {
  readonly edits: readonly BulkEdit[];
  /** distinct, in the order of listing and applying */
  readonly ids: readonly number[];
  /** plans an existing record that is not locked by another user */
  decide(record: StoredRecord): EditOutcome & Pick<PlannedRow, 'keywordChanges'>;
}

/** A plan whose rows are stored, but invisible before `finishPlan`. */
export interface UnfinishedPlan {
  readonly id: number;
  readonly counts: StoredCounts;
}

/**
 * Plans edits of each record and stores the plan, in many short reads and writes, with other requests in between. Each record is
 * planned with the version that is read.
 * @throws {ApiError} 422 as of `storePlan`
 */
export function makePlan(
  database: Database,
  collection: Collection,
  writer: Writer,
  source: PlanSource,
): Promise<UnfinishedPlan> {
  return storePlan(
    database,
    collection,
    writer,
    { kind: 'edit', edits: source.edits, fileName: null },
    planInBatches(database, collection, writer, source),
  );
}

async function* planInBatches(
  database: Database,
  collection: Collection,
  writer: Writer,
  source: PlanSource,
): AsyncGenerator<readonly PlannedRow[]> {
  let step = INITIAL_BATCH_SIZE;
  for (let at = 0; at < source.ids.length;) {
    const ids = source.ids.slice(at, at + step);
    at += ids.length;
    const found = await database.read((db) => readRecords(db, collection, ids));
    step = Math.min(READ_BATCH_SIZE, nextBatchSize(step, charactersOf(found.values())));
    const check = (rows: readonly PlannedRow[]) =>
      database.read((db) => checkPlanned(db, collection, rows, found));
    let planned: PlannedRow[] = [];
    for (const id of ids) {
      const row = planRecord(collection.kind, id, found.get(id), writer, source);
      planned.push(row);
      if (characterCount(row) > LARGE_ROW_CHARACTERS) {
        yield await check(planned);
        planned = [];
      }
      await yieldToEventLoop();
    }
    yield await check(planned);
  }
}

/**
 * How many records are read together next.
 * @param size how many were read together before
 * @param characters theirs
 */
export function nextBatchSize(size: number, characters: number): number {
  return Math.max(1, Math.min(size * 2, Math.floor((size * MAX_BATCH_CHARACTERS) / characters)));
}

async function checkPlanned(
  db: Transaction,
  collection: Collection,
  planned: readonly PlannedRow[],
  records: ReadonlyMap<number, StoredRecord>,
): Promise<PlannedRow[]> {
  const rows = planned.map((plan) => ({ plan, record: records.get(plan.rowId) }));
  const checked = await checkRows(db, collection, rows, (_, failed) => problemsOfFields(failed));
  return checked.map(({ plan }) => plan);
}

/**
 * Stores planned rows in many short writes, with other requests in between.
 * @param rows in their order; one that replaces another comes after it
 * @throws {ApiError} 422 if it takes too long, or the texts are too long
 */
export async function storePlan(
  database: Database,
  collection: Collection,
  writer: Writer,
  { kind, edits, fileName }: Pick<StoredBulkEdit, 'kind' | 'edits' | 'fileName'>,
  rows: AsyncIterable<readonly (PlannedRow | ReplacingRow)[]>,
): Promise<UnfinishedPlan> {
  const { userId, username } = writer;
  const plan = {
    scope: collection.kind,
    collectionId: collection.id,
    ownerId: userId ?? 0,
    ownerName: username,
    kind,
    edits,
    fields: plannedFields(collection),
    fileName,
  };
  const id = await database.write((db) => store.insertPlan(db, plan, Date.now()), READ_COMMITTED);
  const tally = new PlanTally();
  let unstored: (PlannedRow | ReplacingRow)[] = [];
  let unstoredCharacters = 0;
  let position = 0;
  const storeRows = async () => {
    const added = unstored.filter((row) => !('replaces' in row));
    const replacing = unstored.flatMap((row) => ('replaces' in row ? [row] : []));
    await database.write(async (db) => {
      await plannedRows.insertPlannedRows(db, id, position, added);
      await plannedRows.replacePlannedRows(db, id, replacing);
    }, READ_COMMITTED);
    position += added.length;
    unstored = [];
    unstoredCharacters = 0;
  };
  const until = performance.now() + (kind === 'edit' ? MAX_EDITS_TIME : MAX_PLAN_TIME);
  const checkTime = () => {
    if (performance.now() > until) throw tooSlow(kind);
  };
  try {
    for await (const some of rows) {
      checkTime();
      for (const row of some) {
        tally.add(row);
        unstored.push(row);
        unstoredCharacters += characterCount(row);
        const isFull = unstored.length >= STORE_BATCH_SIZE;
        if (isFull || unstoredCharacters >= MAX_BATCH_CHARACTERS) await storeRows();
      }
      await yieldToEventLoop();
    }
    if (unstored.length > 0) await storeRows();
    checkTime();
  } catch (error) {
    // An incomplete plan is removed at once.
    await database
      .write((db) => store.updateBulkEdit(db, id, { state: 'deleted' }), READ_COMMITTED)
      .catch(() => undefined);
    throw error;
  }
  return { id, counts: tally.counts(collection) };
}

/** Makes the plan visible, and drops the user's oldest plan if there are too many. */
export async function finishPlan(
  db: Transaction,
  collection: Collection,
  { id, counts }: UnfinishedPlan,
): Promise<StoredBulkEdit> {
  await store.updateBulkEdit(db, id, { state: 'planned', counts });
  const plan = await store.readBulkEdit(db, collection, id);
  if (!plan) throw new Error('A plan is missing');
  await markOldestPlansDeleted(db, collection, plan.ownerId, MAX_PLANS);
  return plan;
}

function planRecord(
  kind: Collection['kind'],
  rowId: number,
  record: StoredRecord | undefined,
  writer: Writer,
  source: PlanSource,
): PlannedRow {
  if (!record) {
    const message =
      kind === 'archive' ? recordTexts.noRevision(rowId) : importTexts.noRecord(rowId);
    return { ...NO_CHANGES, rowId, version: 0, outcome: 'missing', message };
  }
  const { version } = record;
  const { changes, keywordChanges, message } = source.decide(record);
  const row = { rowId, version, changes, keywordChanges, refused: null };
  if (message !== null) return { ...row, outcome: 'invalid', message };
  if (changes.length + keywordChanges.length === 0)
    return { ...row, outcome: 'unchanged', message };
  const lock = lockOfAnother(record, writer);
  if (!lock) return { ...row, outcome: 'changed', message };
  return { ...row, outcome: 'locked', message: lockedMessage(kind, lock).message };
}

/** Rows with more characters than this are stored before the next is planned. */
const LARGE_ROW_CHARACTERS = 100_000;

function tooSlow(kind: StoredBulkEdit['kind']): ApiError {
  const message =
    kind === 'edit'
      ? texts.planTooSlow({ seconds: MAX_EDITS_TIME / 1000 })
      : texts.rowsTooSlow({ kind, minutes: MAX_PLAN_TIME / 60_000 });
  return new ApiError('validation_failed', message);
}
