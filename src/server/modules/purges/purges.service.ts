import * as texts from '#messages/service/definitions.ts';
import { changeTables } from '#server/database/change-tables.ts';
import type { Database, Transaction } from '#server/database/database.ts';
import type { Collection } from '#server/database/records/collection.ts';
import { ApiError, EntryErrors } from '#shared/contract/errors.ts';
import { isSameName, keywordFieldName, keywordNameIn } from '#shared/rules/names.ts';
import {
  changeDefinition,
  requireNoJob,
  requireVersion,
} from '../definitions/definitions.service.ts';
import { requireStoredDefinition } from '../definitions/stored-definitions.ts';
import type { DefinitionJobRunner } from '../definition-jobs/job-runner.ts';
import * as jobs from '../definition-jobs/job-rows.ts';
import type { DefinitionJob } from '../definition-jobs/job-rows.ts';
import type { DefinitionState, FieldState } from '../definitions/definition-state.ts';
import type { Actor } from '../history/history.service.ts';

export { isCovered, PURGE_CHANGE, PurgeDigest, type Purge } from './purged-entries.ts';
export { purgesOf, readEntriesUpTo, readPurges, type EntryPosition } from './purges.store.ts';

/** The object to delete permanently. */
export interface WantedPurge {
  readonly kind: Collection['kind'];
  readonly id: number;
  /**
   * a retired field; of a keyword field `keyword.NAME`, or `NAME` if no other field has it; null: the archive or table as
   * a whole, which is retired first if it is in use
   */
  readonly field: string | null;
  /** the name of the object */
  readonly confirm: string | undefined;
  /** null: any version of the definition */
  readonly ifMatch: string | null;
  readonly actor: Actor;
}

/**
 * Deletes an object permanently, in a job whose end is awaited.
 * @returns the job, if it is not finished yet
 * @throws {DefinitionChanged}
 * @throws {ApiError} 404 of an unknown field; 422 if it is not confirmed by its name; 409 of a field that is active, and
 * while another job changes the definition
 */
export async function purgeByJob(
  database: Database,
  runner: DefinitionJobRunner,
  wanted: WantedPurge,
): Promise<DefinitionJob | null> {
  const id = await changeTables(database, (db) => begin(db, runner, wanted));
  const job = await runner.waitForEnd(id);
  if (job?.state === 'failed') throw new ApiError('unavailable', texts.jobFailed({ job: job.id }));
  return job;
}

async function begin(
  db: Transaction,
  { owner }: DefinitionJobRunner,
  { kind, id, field, confirm, ifMatch, actor }: WantedPurge,
): Promise<number> {
  const { state, retiredAt } = await requireStoredDefinition(db, kind, id);
  const found =
    field === null ? { name: state.name, number: null, retiredAt } : findField(state, field);
  if (!found) throw new ApiError('not_found', texts.noField({ name: field ?? '' }));
  const { name, number } = found;
  requireVersion(state, ifMatch);
  const errors = new EntryErrors();
  if (confirm !== name) {
    errors.add('validation_failed', 'confirm', texts.confirmNeeded({ name }));
  }
  if (field !== null && found.retiredAt === null) {
    errors.add('conflict', '-', texts.notRetired({ name }));
  }
  errors.throwIfAny(true);
  await requireNoJob(db, kind, id);
  let { version } = state;
  if (field === null && retiredAt === null) {
    // The tables of what is retired may be gone.
    await db.adapter.lockDefinition(db, { kind, id });
    version++;
    await changeDefinition(db, id, { ...state, version }, Date.now(), actor);
  }
  return jobs.insertDefinitionJob(db, {
    scope: kind,
    collectionId: id,
    phase: 'prepare',
    request: { kind: 'purge', number },
    baseVersion: version,
    actor: { ...actor },
    owner,
  });
}

/** A field of this name, of a keyword field `keyword.NAME`, also without `keyword.` if no other field has it. */
export function findField({ fields, keywordFields }: DefinitionState, name: string) {
  const find = <Field extends { readonly name: string }>(
    states: readonly FieldState<Field>[],
    wanted: string,
  ) => states.find(({ field, isSuperseded }) => !isSuperseded && isSameName(field.name, wanted));
  const field = find(fields, name);
  if (field) return { ...field, name: field.field.name };
  const keywordName = keywordNameIn(name);
  const keyword = find(keywordFields, keywordName ?? name);
  if (!keyword) return undefined;
  const { field: definition } = keyword;
  return {
    ...keyword,
    name: keywordName === null ? definition.name : keywordFieldName(definition.name),
  };
}
