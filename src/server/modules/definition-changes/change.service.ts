import * as texts from '#messages/service/definitions.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { MessagesByPath } from '#shared/messages/message.ts';
import type { RequestedDefinition } from '#shared/contract/configuration-bodies.ts';
import type { AnsweredJob, AnsweredPlan } from '#shared/contract/configuration-definitions.ts';
import { ApiError, EntryErrors } from '#shared/contract/errors.ts';
import type { Actor } from '../history/history.service.ts';
import { brokenChecks } from './broken-checks.ts';
import { needsValueScan } from './change-job.ts';
import { tallyChangesInWorker, findMisfitsInWorker } from './definition-changes.reads.ts';
import { requireNoJob, requireVersion } from '../definitions/definitions.service.ts';
import { checkProblems } from '../definitions/check-problems.ts';
import type { LookupTable } from '../definitions/collection-checks.ts';
import {
  isTaken,
  requireStoredDefinition,
  readStoredDefinition,
  readTables,
  type StoredDefinition,
} from '../definitions/stored-definitions.ts';
import type { DefinitionJobRunner } from '../definition-jobs/job-runner.ts';
import * as jobs from '../definition-jobs/job-rows.ts';
import type { DefinitionJob } from '../definition-jobs/job-rows.ts';
import { nameTaken, pathOfField } from '../definitions/name-problems.ts';
import { NO_TALLY, type ChangeTally } from '../definition-jobs/change-tally.ts';
import { isPlan, planDefinition, type DefinitionPlan } from './definition-plan.ts';
import type { PlannedChange } from './planned-change.ts';

/** The requested change of a definition. */
interface RequestedChange {
  readonly kind: Collection['kind'];
  readonly id: number;
  readonly wanted: RequestedDefinition;
  readonly keepsMisfits: boolean;
  readonly actor: Actor;
  /** null: any version of the definition */
  readonly ifMatch: string | null;
}

/**
 * Plans a change.
 * @throws {ApiError} 422 if the definition contradicts itself; 409 if a name is taken; with all errors together
 */
async function planChange(
  db: Transaction,
  { kind, id, wanted, keepsMisfits }: RequestedChange,
  stored: StoredDefinition,
  now: number,
): Promise<DefinitionPlan> {
  const planned = planDefinition(stored.state, wanted, { now, keepsMisfits });
  const tables = await readTables(db);
  const errors = new EntryErrors(
    isPlan(planned) ? newCheckProblems(planned, tables) : planned.invalid,
  );
  if (isPlan(planned)) {
    for (const message of await brokenChecks(db, planned, tables)) {
      errors.add('validation_failed', '-', message);
    }
  } else {
    errors.addAll('conflict', planned.taken);
  }
  if (await isTaken(db, kind, 'name_key', wanted.name, id)) {
    errors.addAll('conflict', nameTaken(kind, wanted.name));
  }
  errors.throwIfAny(true);
  if (!isPlan(planned)) throw new Error('There is no plan, without an error.');
  return planned;
}

/** The errors of checks, except those that the change does not affect, such as a rule that names a retired table. */
function newCheckProblems(
  { before, after, unchangedParts }: DefinitionPlan,
  tables: readonly LookupTable[],
): MessagesByPath {
  const known = checkProblems(before, tables);
  return Object.fromEntries(
    Object.entries(checkProblems(after, tables)).filter(
      ([path]) => !unchangedParts.has(path) || known[path] === undefined,
    ),
  );
}

/**
 * The effect of a change, including that on stored values; nothing changes.
 * @throws {DefinitionChanged} the definition has another version than the caller expects
 */
export async function previewChange(
  database: Database,
  change: RequestedChange,
): Promise<AnsweredPlan> {
  return database.read(async (db) => {
    const { kind, id, ifMatch } = change;
    const stored = await requireStoredDefinition(db, kind, id);
    requireVersion(stored.state, ifMatch);
    const { before, changes } = await planChange(db, change, stored, Date.now());
    const tallies = await tallyChangesInWorker(db, { kind, id }, { before, changes });
    return answerPlan(changes, tallies);
  });
}

/** The records whose values violate a change, so that they can be corrected first, at most `limit`. */
export async function findMisfitsOf(
  database: Database,
  change: RequestedChange,
  limit: number,
): Promise<number[]> {
  return database.read(async (db) => {
    const { kind, id } = change;
    const stored = await requireStoredDefinition(db, kind, id);
    const { before, changes } = await planChange(db, change, stored, Date.now());
    return findMisfitsInWorker(db, { kind, id }, { before, changes }, limit);
  });
}

function answerPlan(
  changes: readonly PlannedChange[],
  tallies: readonly ChangeTally[],
): AnsweredPlan {
  return {
    changes: changes.map(({ kind, field, properties }, i) => {
      const { affected, misfits, examples } = tallies[i] ?? NO_TALLY;
      return {
        kind,
        field,
        properties: [...properties],
        affected,
        misfits,
        examples: examples.map(({ id, value }) => ({ id: String(id), value })),
      };
    }),
    safe: tallies.every(({ misfits }) => misfits === 0),
  };
}

/**
 * Changes a definition, in a job whose end is awaited.
 * @returns the job, if it is not finished yet
 * @throws {ApiError} 412 of a stale tag; 409 while another job runs, or `definition_conflict` with the plan; 422
 */
export async function changeByJob(
  database: Database,
  runner: DefinitionJobRunner,
  change: RequestedChange,
): Promise<DefinitionJob | null> {
  const { kind, id, wanted, keepsMisfits, actor, ifMatch } = change;
  const now = Date.now();
  const started = await database.write(async (db) => {
    const stored = await requireStoredDefinition(db, kind, id);
    // This is checked before the errors of the definition (docs/interface/decisions.md, section 3).
    requireVersion(stored.state, ifMatch);
    const planned = await planChange(db, change, stored, now);
    await requireNoJob(db, kind, id);
    if (stored.retiredAt !== null) throw new ApiError('conflict', texts.isRetired({ kind }));
    if (planned.changes.length === 0) return null;
    const addsFields = planned.changes.some(
      (change) => change.kind === 'add' || change.kind === 'restore',
    );
    const job = await jobs.insertDefinitionJob(db, {
      scope: kind,
      collectionId: id,
      phase: needsValueScan(planned) || addsFields ? 'prepare' : 'switch',
      request: { kind: 'change', wanted, keepsMisfits, now },
      baseVersion: stored.state.version,
      actor: { ...actor },
      owner: runner.owner,
    });
    return { job, planned };
  });
  if (started === null) return null;
  const job = await runner.waitForEnd(started.job);
  if (job?.state !== 'failed') return job;
  if (job.error === 'definition_conflict') throw conflict(started.planned, job.tallies);
  // Another archive or table got the name while the job ran.
  if (job.error === 'conflict') throw new ApiError('conflict', nameTaken(kind, wanted.name));
  // Another archive or table got a check that looks up values in this one.
  if (job.error === 'validation_failed') {
    const broken = await database.read(async (db) =>
      brokenChecks(db, started.planned, await readTables(db)),
    );
    if (broken.length > 0) throw new ApiError('validation_failed', { '-': broken });
  }
  throw new ApiError('unavailable', texts.jobFailed({ job: job.id }));
}

function conflict({ before, changes }: DefinitionPlan, tallies: readonly ChangeTally[]): ApiError {
  const errors: MessagesByPath = {};
  for (const [i, { field, number }] of changes.entries()) {
    const count = tallies[i]?.misfits ?? 0;
    if (count === 0) continue;
    const isKeyword = before.keywordFields.some((field) => field.number === number);
    const path =
      field === null
        ? 'uniqueTogether'
        : pathOfField(before, isKeyword ? 'keywordFields' : 'fields', field);
    (errors[path] ??= []).push(texts.valuesMisfit({ count }));
  }
  return new ApiError('definition_conflict', errors, { plan: answerPlan(changes, tallies) });
}

export function answerJob(job: DefinitionJob): AnsweredJob {
  return {
    jobId: String(job.id),
    kind: job.request.kind,
    state: job.state === 'cancelling' ? 'running' : job.state,
    done: job.done,
    total: job.total,
    error: job.error,
  };
}

/** A job. If it was rejected: with the plan and the violations, unless the definition was changed or deleted since then. */
export async function answerJobWithPlan(db: Transaction, job: DefinitionJob): Promise<AnsweredJob> {
  const { request, error, scope, collectionId, baseVersion } = job;
  const answered = answerJob(job);
  if (error !== 'definition_conflict' || request.kind !== 'change') return answered;
  const stored = await readStoredDefinition(db, scope, collectionId);
  if (stored?.state.version !== baseVersion) return answered;
  const planned = planDefinition(stored.state, request.wanted, request);
  return isPlan(planned)
    ? { ...answered, plan: answerPlan(planned.changes, job.tallies) }
    : answered;
}
