import type { Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { StoredField } from '#server/database/records/columns.ts';
import { storeConverted } from '#server/database/records/converted-values.ts';
import { refreshSearchTexts } from '#server/database/records/search-texts.ts';
import { readValuesOf } from '#server/database/records/iterate-values.ts';
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
import type { DefinitionJob, JobRequest } from '../definition-jobs/job-rows.ts';
import type { ConversionCheck } from './field-differences.ts';
import { addToTallies, becomesUnique, converterOf } from './plan-evaluation.ts';
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
  /** the fields before the change that are evaluated */
  readonly read: readonly StoredField[];
  readonly added: readonly StoredField[];
  readonly conversions: readonly ConversionPart[];
}

interface ConversionPart {
  readonly check: ConversionCheck;
  /** the number of the field before */
  readonly from: number | null;
  readonly to: StoredField;
}

export type ChangeRequest = Extract<JobRequest, { kind: 'change' }>;

/** Records per check, in a read worker if there is one. */
const CHECK_BATCH_SIZE = 50_000;

/** Checks the next records. */
export async function checkPart(
  context: JobContext,
  job: DefinitionJob,
  parts: ChangeParts,
  request: ChangeRequest,
): Promise<JobStep> {
  const { all, read, plan } = parts;
  const evaluated = { fields: read, changes: plan.changes };
  const page = { after: job.position, limit: CHECK_BATCH_SIZE };
  const { tallies, last, records } = await context.database.read((db) =>
    tallyRecordsAfterInWorker(db, all, evaluated, job.tallies, page),
  );
  if (last === null) return endScan(context, parts, tallies, request);
  const done = Math.min(job.done + records, job.total);
  return storeStep(context, { tallies, position: last, done });
}

/** Continues with the next phase after all stored values were read. */
async function endScan(
  context: JobContext,
  { all, plan: { changes } }: ChangeParts,
  found: readonly ChangeTally[],
  { keepsMisfits }: ChangeRequest,
): Promise<JobStep> {
  const tallies = await context.database.read((db) =>
    addUniquenessTalliesInWorker(db, all, { fields: all.fields, changes }, found),
  );
  return storeStep(context, {
    tallies,
    ...(isAccepted(changes, tallies, keepsMisfits)
      ? { phase: 'index' }
      : { phase: 'cleanup', error: 'definition_conflict' }),
  });
}

/** Whether a definition may change although some values violate it; uniqueness is always required. */
export function isAccepted(
  changes: readonly PlannedChange[],
  tallies: readonly ChangeTally[],
  keepsMisfits: boolean,
): boolean {
  return changes.every(
    ({ check }, i) => (tallies[i]?.misfits ?? 0) === 0 || (keepsMisfits && !becomesUnique(check)),
  );
}

/** Converts all records, and counts violations. */
export function convertAll(
  context: JobContext,
  job: DefinitionJob,
  parts: ChangeParts,
  request: ChangeRequest,
): Promise<JobStep> {
  return changeAllRecords(
    context,
    parts.all,
    job,
    (db, ids, tallies) => convertRecords(db, parts, ids, tallies),
    (tallies) => endScan(context, parts, tallies, request),
  );
}

/**
 * Converts the values of some records where the result is not stored yet.
 * @returns the tallies with the effect of the changes on these records
 */
export async function convertRecords(
  db: Transaction,
  { plan, all, read, conversions }: ChangeParts,
  ids: readonly number[],
  tallies: readonly ChangeTally[],
): Promise<ChangeTally[]> {
  const converters = conversions.map(({ check, from }) => converterOf(check, from, read));
  const targets = conversions.map(({ to }) => to);
  const records = await readValuesOf(db, all, [...read, ...targets], ids, 'lock');
  const converted = records.flatMap(({ id, values: stored }) => {
    const values = converters.map((convert) => convert(stored).value);
    return values.every((value, i) => value === stored[read.length + i]) ? [] : [{ id, values }];
  });
  await storeConverted(db, all, targets, converted);
  return addToTallies(plan.changes, read, records, tallies);
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
