import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { StoredField } from '#server/database/records/columns.ts';
import { storeConverted } from '#server/database/records/converted-values.ts';
import { refreshSearchTexts } from '#server/database/records/search-texts.ts';
import { readValuesOf, type RecordValues } from '#server/database/records/iterate-values.ts';
import {
  addUniquenessTalliesInWorker,
  tallyRecordsAfterInWorker,
} from './definition-changes.reads.ts';
import {
  changeAllRecords,
  storeStep,
  type JobContext,
  type JobStep,
} from '../definition-jobs/job-context.ts';
import type * as store from '../definition-jobs/job-rows.ts';
import type { DefinitionJob } from '../definition-jobs/job-rows.ts';
import { addToTallies, converterOf, fieldsToRead } from './plan-evaluation.ts';
import type { ChangeTally } from '../definition-jobs/change-tally.ts';
import type { DefinitionPlan } from './definition-plan.ts';
import type { PlannedChange } from './planned-change.ts';
import { toCollection } from '../definitions/definition-collection.ts';

/* The effect of a definition change on the stored values of an archive or table. */

/** A change of a definition, and its effect on the record tables. */
export interface ChangeParts {
  readonly plan: DefinitionPlan;
  /** with retired fields and those that the change adds */
  readonly all: Collection;
  /** the fields before the change, retired ones included */
  readonly before: readonly StoredField[];
  readonly added: readonly StoredField[];
  readonly conversions: readonly ConversionPart[];
}

interface ConversionPart {
  readonly change: PlannedChange;
  readonly from: StoredField;
  readonly to: StoredField;
}

export type ChangeRequest = Extract<store.JobRequest, { kind: 'change' }>;

/** Records per check, in a read worker if there is one. */
const CHECK_BATCH_SIZE = 50_000;

/** Checks the next records. */
export async function checkPart(
  context: JobContext,
  job: DefinitionJob,
  { plan, all, before }: ChangeParts,
  request: ChangeRequest,
): Promise<JobStep> {
  const { database } = context;
  const { changes } = plan;
  const part = await database.read((db) =>
    tallyRecordsAfterInWorker(db, all, { fields: before, changes }, job.tallies, {
      after: job.position,
      limit: CHECK_BATCH_SIZE,
    }),
  );
  let step: store.JobChanges = {
    tallies: part.tallies,
    position: part.last ?? job.position,
    done: Math.min(job.done + part.records, job.total),
  };
  if (part.last === null) {
    const tallies = await database.read((db) =>
      addUniquenessTalliesInWorker(db, all, { fields: all.fields, changes }, part.tallies),
    );
    step = { ...step, tallies, ...phaseAfterScan(plan, tallies, request) };
  }
  return storeStep(context, step);
}

/** The next phase after all stored values were read. */
function phaseAfterScan(
  { changes }: DefinitionPlan,
  tallies: readonly ChangeTally[],
  { keepsMisfits }: ChangeRequest,
): store.JobChanges {
  return isAccepted(changes, tallies, keepsMisfits)
    ? { phase: 'index' }
    : { phase: 'cleanup', error: 'definition_conflict' };
}

/** Whether a definition may change although some values violate it; uniqueness is always required. */
export function isAccepted(
  changes: readonly PlannedChange[],
  tallies: readonly ChangeTally[],
  keepsMisfits: boolean,
): boolean {
  return changes.every(({ check }, i) => {
    if ((tallies[i]?.misfits ?? 0) === 0) return true;
    if (!keepsMisfits || check?.kind === 'uniqueTogether') return false;
    return check?.kind === 'rules' ? !check.isUnique : check?.to.unique !== true;
  });
}

/** Whether a change requires that no two records have the same value. */
export function needsUniqueness({ check }: PlannedChange): boolean {
  switch (check?.kind) {
    case 'uniqueTogether':
      return true;
    case 'rules':
      return check.isUnique;
    case 'conversion':
      return check.to.unique === true;
    case undefined:
      return false;
    default:
      return check satisfies never;
  }
}

/** Converts all records, and counts violations. */
export async function convertAll(
  context: JobContext,
  job: DefinitionJob,
  { plan, all, conversions, before }: ChangeParts,
  request: ChangeRequest,
): Promise<JobStep> {
  const read = fieldsToRead(plan.changes, before);
  return changeAllRecords(
    context,
    all,
    job,
    async (db, ids, tallies) => {
      const records = await convertRecords(db, all, conversions, read, ids);
      return addToTallies(plan.changes, read, records, tallies);
    },
    async (tallies) => {
      const changes = changesAfterConversion(plan.changes, conversions);
      const complete = await context.database.read((db) =>
        addUniquenessTalliesInWorker(db, all, { fields: all.fields, changes }, tallies),
      );
      return storeStep(context, { tallies: complete, ...phaseAfterScan(plan, complete, request) });
    },
  );
}

/** The changes with conversions in terms of the new columns, which may have to be unique. */
export function changesAfterConversion(
  changes: readonly PlannedChange[],
  conversions: readonly ConversionPart[],
): PlannedChange[] {
  return changes.map((change) => {
    const converted = conversions.find((conversion) => conversion.change === change);
    const { check } = change;
    if (!converted || check?.kind !== 'conversion' || check.to.unique !== true) return change;
    return {
      ...change,
      number: converted.to.number,
      check: { kind: 'rules', rules: check.to, isUnique: true },
    };
  });
}

/**
 * Converts the values of some records where the result is not stored yet.
 * @param read the fields to read
 * @returns the values of these fields
 */
export async function convertRecords(
  db: Transaction,
  all: Collection,
  conversions: readonly ConversionPart[],
  read: readonly StoredField[],
  ids: readonly number[],
): Promise<RecordValues[]> {
  const columns = conversions.map(({ change, from, to }) => {
    const { check } = change;
    if (check?.kind !== 'conversion') throw new Error('A conversion has no rules.');
    return { to, convert: converterOf(check, from.number, read) };
  });
  const targets = columns.map(({ to }) => to);
  const records = await readValuesOf(db, all, [...read, ...targets], ids, 'lock');
  const converted = records.flatMap(({ id, values: stored }) => {
    const values = columns.map(({ convert }) => convert(stored).value);
    return values.every((value, i) => value === stored[read.length + i]) ? [] : [{ id, values }];
  });
  await storeConverted(db, all, targets, converted);
  return records;
}

/** Recomputes the search texts of all records. */
export async function refreshTexts(
  context: JobContext,
  job: DefinitionJob,
  { plan, all }: ChangeParts,
): Promise<JobStep> {
  const active = toCollection(all.id, plan.after, all.retiredAt);
  return changeAllRecords(
    context,
    active,
    job,
    async (db, ids, tallies) => {
      await refreshSearchTexts(db, active, ids);
      return tallies;
    },
    () => storeStep(context, { state: 'done' }),
  );
}
