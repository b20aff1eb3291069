import * as texts from '#messages/service/definitions.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import type { WarningLog } from '#server/warning-log.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { matchesVersion } from '#shared/contract/etags.ts';
import { isSameName, keywordFieldName, keywordNameIn } from '#shared/rules/names.ts';
import { DefinitionChanged } from '../definitions/change.service.ts';
import { findNamed } from '../definitions/commands.service.ts';
import { requireNoJob } from '../definitions/definitions.service.ts';
import { readStored } from '../definitions/definitions.store.ts';
import type { JobContext } from '../definitions/job-context.ts';
import {
  MAX_WAIT,
  runDefinitionJobs,
  waitForJob,
  type DefinitionJobRunner,
} from '../definitions/jobs.runner.ts';
import * as jobs from '../definitions/jobs.store.ts';
import type { DefinitionJob } from '../definitions/jobs.store.ts';
import type { DefinitionState, FieldState } from '../definitions/stored-definition.ts';
import type { Actor } from '../history/history.service.ts';

export { isCovered, PURGE_CHANGE, PurgeDigest, type Purge } from './purged-entries.ts';
export { purgesOf, readEntriesUpTo, readPurges, type EntryPosition } from './purges.store.ts';

/** The object to delete permanently. */
interface WantedPurge {
  readonly kind: Collection['kind'];
  readonly id: number;
  /** a retired field; of a keyword field `keyword.NAME`; null: the retired archive or table as a whole */
  readonly field: string | null;
  /** the name of the object */
  readonly confirm: string | undefined;
  /** null: any version of the definition */
  readonly ifMatch: string | null;
  readonly actor: Actor;
}

/**
 * Deletes an object permanently, in a job whose end is awaited.
 * @param maxWait in milliseconds
 * @returns the job, if it is not finished yet
 * @throws {DefinitionChanged}
 * @throws {ApiError} 404 of an unknown field; 422 if it is not confirmed by its name; 409 if it is active, or while
 * another job changes the definition
 */
export async function purgeByJob(
  database: Database,
  runner: DefinitionJobRunner,
  wanted: WantedPurge,
  maxWait = MAX_WAIT,
): Promise<DefinitionJob | null> {
  const id = await database.write((db) => begin(db, runner, wanted));
  const job = await waitForJob(database, runner, id, maxWait);
  if (job?.state === 'failed') throw new ApiError('unavailable', texts.jobFailed({ job: job.id }));
  return job;
}

async function begin(
  db: Transaction,
  { owner }: DefinitionJobRunner,
  { kind, id, field, confirm, ifMatch, actor }: WantedPurge,
): Promise<number> {
  const { state, retiredAt } = await readStored(db, kind, id);
  const found =
    field === null ? { name: state.name, number: null, retiredAt } : findField(state, field);
  if (!found) throw new ApiError('not_found', texts.noField({ name: field ?? '' }));
  const { name, number } = found;
  if (confirm !== name) {
    throw new ApiError('validation_failed', { confirm: [texts.confirmNeeded({ name })] });
  }
  if (ifMatch !== null && !matchesVersion(ifMatch, state.version)) throw new DefinitionChanged();
  if (found.retiredAt === null) throw new ApiError('conflict', texts.notRetired({ name }));
  await requireNoJob(db, kind, id);
  return jobs.insertJob(db, {
    scope: kind,
    collectionId: id,
    phase: 'prepare',
    request: { kind: 'purge', number },
    baseVersion: state.version,
    actor: { ...actor },
    owner,
  });
}

function findField({ fields, keywordFields }: DefinitionState, name: string) {
  const find = <Field extends { readonly name: string }>(
    states: readonly FieldState<Field>[],
    wanted: string,
  ) => states.find(({ field, isSuperseded }) => !isSuperseded && isSameName(field.name, wanted));
  const field = find(fields, name);
  if (field) return { ...field, name: field.field.name };
  const keywordName = keywordNameIn(name);
  if (keywordName === null) return undefined;
  const keyword = find(keywordFields, keywordName);
  return keyword && { ...keyword, name: keywordFieldName(keyword.field.name) };
}

/** The same for a command, which waits for the end. */
export async function purgeByCommand(
  context: Pick<JobContext, 'database' | 'files'>,
  {
    name,
    ...wanted
  }: Pick<WantedPurge, 'kind' | 'field' | 'confirm' | 'actor'> & { readonly name: string },
  log: WarningLog,
): Promise<void> {
  const { database } = context;
  const { id } = await database.read((db) => findNamed(db, wanted.kind, name));
  const runner = runDefinitionJobs(context, log, () => undefined, false);
  try {
    const all = { ...wanted, id, ifMatch: null };
    await purgeByJob(database, runner, all, Number.POSITIVE_INFINITY);
  } finally {
    await runner.close();
  }
}
