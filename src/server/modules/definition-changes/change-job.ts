import { sql } from 'kysely';
import { changeTables } from '#server/database/change-tables.ts';
import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import {
  readChangedRecords,
  readNewestHistoryId,
} from '#server/database/records/changed-records.ts';
import { clearFields } from '#server/database/records/clear-fields.ts';
import {
  addFields,
  dropFieldIndexes,
  removeFields,
} from '#server/database/records/record-tables.ts';
import { ALL_RECORDS } from '#server/database/records/list-reader.ts';
import { isText } from '#shared/values/registry.ts';
import {
  checkPart,
  convertAll,
  convertRecords,
  isAccepted,
  refreshTexts,
  type ChangeParts,
  type ChangeRequest,
} from './value-scan.ts';
import { brokenChecks } from './broken-checks.ts';
import { changeDefinition } from '../definitions/definitions.service.ts';
import { mustBeUnique } from '../records/unique-columns.ts';
import { isTaken, requireStoredDefinition, readTables } from '../definitions/stored-definitions.ts';
import { addUniquenessTallies } from './change-tallies.service.ts';
import { updateDependents } from './dependents.service.ts';
import {
  changeAllRecords,
  changeSomeRecords,
  stepUnderLock,
  storeStep,
  type JobContext,
  type JobStep,
} from '../definition-jobs/job-context.ts';
import type { DefinitionJob } from '../definition-jobs/job-rows.ts';
import { becomesUnique, fieldsToRead } from './plan-evaluation.ts';
import { NO_TALLY, type ChangeTally } from '../definition-jobs/change-tally.ts';
import { isPlan, planDefinition, type DefinitionPlan } from './definition-plan.ts';
import { toCollection } from '../definitions/definition-collection.ts';
import { storedFieldsOf } from '../definitions/definition-state.ts';
import { QUIET_PERIOD } from './index-completion.runner.ts';

/** Does one phase of a change of a definition, or a part of it. */
export async function continueChange(
  context: JobContext,
  job: DefinitionJob,
  request: ChangeRequest,
): Promise<JobStep> {
  const { database } = context;
  const found = await database.read((db) => partsOf(db, job, request));
  if (!found) return storeStep(context, { state: 'failed', error: 'changed_meanwhile' });
  const { parts, isOutdated } = found;
  if (job.state === 'cancelling' || job.phase === 'cleanup' || isOutdated) {
    return cleanUp(context, job, parts, isOutdated ? 'changed_meanwhile' : null);
  }
  switch (job.phase) {
    case 'prepare':
      return prepare(context, parts);
    case 'walk':
      if (parts.conversions.length === 0) return checkPart(context, job, parts, request);
      // Where others do not write meanwhile: it takes a third of the time while no record has a value.
      if (!database.adapter.isShared) await completeIndexes(context, job, parts);
      return convertAll(context, job, parts, request);
    case 'index':
      await completeIndexes(context, job, parts);
      return storeStep(context, { phase: 'switch' });
    case 'switch':
      await catchUp(context, job, parts);
      return switchDefinition(context, parts, request);
    case 'search':
      return refreshTexts(context, job, parts);
    default:
      throw new Error(`A change of a definition has no phase ${job.phase}.`);
  }
}

/**
 * @returns `isOutdated`: the job was planned for another version of the definition. During a job only names of other
 * tables and their columns can change, so the fields that it has added are still the planned ones. undefined: there is
 * no plan
 */
async function partsOf(
  db: Transaction,
  { scope, collectionId, baseVersion, phase }: DefinitionJob,
  { wanted, keepsMisfits, now }: ChangeRequest,
): Promise<{ readonly parts: ChangeParts; readonly isOutdated: boolean } | undefined> {
  const { state, retiredAt } = await requireStoredDefinition(db, scope, collectionId);
  const isSwitched = phase === 'search';
  const plan = isSwitched
    ? { before: state, after: state, changes: [], unchangedParts: new Set<string>() }
    : planDefinition(state, wanted, { now, keepsMisfits });
  if (!isPlan(plan)) return undefined;
  const all = toCollection(collectionId, plan.after, retiredAt, 'all');
  const before = storedFieldsOf(plan.before);
  const numbers = new Set(before.map(({ number }) => number));
  const added = all.fields.filter(({ number }) => !numbers.has(number));
  const conversions = plan.changes.flatMap(({ check, number: from }) => {
    if (check?.kind !== 'conversion') return [];
    return added.filter(({ number }) => number === check.into).map((to) => ({ check, from, to }));
  });
  const read = fieldsToRead(plan.changes, before);
  const isOutdated = !isSwitched && state.version !== baseVersion;
  return { parts: { plan, all, read, added, conversions }, isOutdated };
}

/** Whether stored values must be read before the definition can change. */
export function needsValueScan({ changes }: DefinitionPlan): boolean {
  return changes.some(({ check }) => check !== null);
}

function prepare(context: JobContext, { plan, all, added }: ChangeParts): Promise<JobStep> {
  return stepUnderLock(context, all, async (db) => {
    await addFields(db, all, added, 'without uniqueness');
    return {
      phase: needsValueScan(plan) ? 'walk' : 'index',
      position: Number.MIN_SAFE_INTEGER,
      sinceEntry: await readNewestHistoryId(db),
      tallies: plan.changes.map(() => NO_TALLY),
      done: 0,
      total: await countRecords(db, all),
    };
  });
}

async function countRecords(db: Transaction, all: Collection): Promise<number> {
  return (await db.adapter.storedCount(db, all)) ?? db.lists.count(all, ALL_RECORDS);
}

/** Of so many records SQLite creates an index within a moment. */
const MAX_INDEXED_AT_ONCE = 20_000;

/** How long the creation of an index of more records waits for a moment without writes, in milliseconds. */
const MAX_WAIT_FOR_QUIET = 30_000;

/**
 * Creates missing indexes. While SQLite creates one of a large table, nobody can save: there it is done only for fields that
 * each save or the order of lists needs; `index-completion.runner.ts` creates the others.
 */
async function completeIndexes(
  { database, signal }: JobContext,
  { total }: DefinitionJob,
  { all, plan, conversions }: ChangeParts,
): Promise<void> {
  const active = toCollection(all.id, plan.after, all.retiredAt);
  const takesLong = !database.adapter.isShared && total > MAX_INDEXED_AT_ONCE;
  const converted = new Set(conversions.map(({ to }) => to.number));
  const fields = takesLong
    ? active.fields.filter((field) => converted.has(field.number) || mustBeUnique(active, field))
    : active.fields;
  let isFirst = true;
  const waitForQuiet = async () => {
    if (takesLong && isFirst) await database.untilQuiet(QUIET_PERIOD, MAX_WAIT_FOR_QUIET, signal);
    signal.throwIfAborted();
    isFirst = false;
  };
  const { kind, id } = active;
  await database.completeIndexes({ kind, id, fields }, waitForQuiet, signal);
}

/** How many records that were written since the beginning can be processed while nobody can write. */
const MAX_CHANGED = 200;

/** How often those are processed before; further rounds would find as many that were written during the previous one. */
const MAX_ROUNDS = 5;

/**
 * Converts records that were written since the beginning, so that few are left to `switchDefinition`. It also counts
 * violations, where those found here would not be found there.
 */
async function catchUp(context: JobContext, job: DefinitionJob, parts: ChangeParts): Promise<void> {
  const { database } = context;
  const { all, plan } = parts;
  // Uniqueness is checked again after any change.
  if (!needsValueScan(plan) || plan.changes.some(({ check }) => becomesUnique(check))) return;
  for (let [round, since] = [0, job.sinceEntry]; round < MAX_ROUNDS; round++) {
    const from = since;
    const newest = await changeTables(database, async (db) => {
      await db.adapter.lockDefinition(db, all);
      return readNewestHistoryId(db);
    });
    const ids = await database.read((db) => readChangedRecords(db, all, from), {
      isBackground: true,
    });
    if (ids.length <= MAX_CHANGED) return;
    const sorted = ids.toSorted((a, b) => a - b);
    const tallies = await changeSomeRecords(context, sorted, [], (db, some, known) =>
      convertRecords(db, parts, some, known),
    );
    // `switchDefinition` finds the violations again, unless they are corrected before.
    if (!tallies || tallies.some(({ misfits }) => misfits > 0)) return;
    since = newest;
    await storeStep(context, { sinceEntry: since });
  }
}

/**
 * Changes the definition: records are not written during this, and those written since the beginning are processed
 * again.
 */
function switchDefinition(
  context: JobContext,
  parts: ChangeParts,
  request: ChangeRequest,
): Promise<JobStep> {
  const { all, plan } = parts;
  const { changes, after } = plan;
  return stepUnderLock(context, all, async (db, job) => {
    if (job.state !== 'running') return null;
    const { retiredAt, state } = await requireStoredDefinition(db, job.scope, job.collectionId);
    // Then the next phase is the clean-up.
    if (state.version !== job.baseVersion) return {};
    const tallies = needsValueScan(plan) ? await convertChanged(db, parts, job.sinceEntry) : [];
    if (!isAccepted(changes, tallies, request.keepsMisfits)) {
      return { phase: 'cleanup', error: 'definition_conflict', tallies };
    }
    const error = await errorOfOthers(db, job, plan);
    if (error !== null) return { phase: 'cleanup', error };
    for (const field of after.fields) {
      const old = state.fields.find(({ number }) => number === field.number);
      if (old?.field.unique === true && field.field.unique !== true) {
        await db.adapter.dropUniqueness(db, all, { number: field.number });
      }
    }
    await changeDefinition(db, job.collectionId, after, retiredAt, job.actor);
    await updateDependents(db, plan, job.collectionId, job.actor);
    return changesSearch(plan)
      ? {
          phase: 'search',
          position: Number.MIN_SAFE_INTEGER,
          done: 0,
          total: await countRecords(db, all),
        }
      : { state: 'done' };
  });
}

/** The error of a change that contradicts what others have changed since it was planned. */
async function errorOfOthers(
  db: Transaction,
  { scope, collectionId }: DefinitionJob,
  plan: DefinitionPlan,
): Promise<'conflict' | 'validation_failed' | null> {
  if (await isTaken(db, scope, 'name_key', plan.after.name, collectionId)) return 'conflict';
  const broken = await brokenChecks(db, plan, await readTables(db));
  return broken.length > 0 ? 'validation_failed' : null;
}

/**
 * Converts the records that were written since a history entry.
 * @returns the effect of the changes on them
 */
async function convertChanged(
  db: Transaction,
  parts: ChangeParts,
  sinceEntry: number,
): Promise<ChangeTally[]> {
  const { all, plan } = parts;
  const ids = await readChangedRecords(db, all, sinceEntry);
  const tallies = await convertRecords(db, parts, ids, []);
  if (ids.length === 0) return tallies;
  return addUniquenessTallies(db, all, { fields: all.fields, changes: plan.changes }, tallies);
}

/** Whether searched texts were added or removed. */
function changesSearch({ before, changes }: DefinitionPlan): boolean {
  const keywords = new Set(before.keywordFields.map(({ number }) => number));
  return changes.some(({ kind, number, check }) => {
    if (number === null) return false;
    const field = before.fields.find((stored) => stored.number === number);
    const wasSearched = keywords.has(number) || (field !== undefined && isText(field.field));
    if (check?.kind === 'conversion') return wasSearched || isText(check.to);
    return wasSearched && (kind === 'retire' || kind === 'restore');
  });
}

/**
 * Removes what the job has added, and ends it.
 * @param error null: the stored one, if any
 */
async function cleanUp(
  context: JobContext,
  job: DefinitionJob,
  { all, added, conversions }: ChangeParts,
  error: 'changed_meanwhile' | null,
): Promise<JobStep> {
  const { database } = context;
  const hasAdded = job.phase !== 'prepare';
  const end = () =>
    stepUnderLock(context, all, async (db, claimed) => {
      if (hasAdded) await removeFields(db, all, added);
      return claimed.state === 'cancelling'
        ? { state: 'cancelled' }
        : { state: 'failed', error: claimed.error ?? error };
    });
  const filled = conversions.map(({ to }) => to);
  if (!hasAdded || filled.length === 0 || !database.adapter.keepsColumns) return end();
  await changeTables(database, (db) => dropFieldIndexes(db, all, filled));
  const fromStart = { ...job, position: Number.MIN_SAFE_INTEGER, done: 0 };
  return changeAllRecords(
    context,
    all,
    fromStart,
    async (db, ids, tallies) => {
      await clearFields(db, all, filled, sql`_id ${db.adapter.isAmong(ids)}`);
      return tallies;
    },
    end,
  );
}
