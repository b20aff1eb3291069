import * as texts from '#messages/service/definitions.ts';
import type { WarningLog } from '#server/lib/warning-log.ts';
import {
  requestedDefinitions,
  type RequestedDefinition,
} from '#shared/contract/configuration-bodies.ts';
import type { AnsweredPlan } from '#shared/contract/configuration-definitions.ts';
import { ApiError, textsOf } from '#shared/contract/errors.ts';
import { type CollectionKind, isSameName } from '#shared/rules/names.ts';
import type { Actor } from '../history/history.service.ts';
import { readDefinitionAs } from '../definition-files/definition-reader.ts';
import { LoadError } from '../definition-files/load-error.ts';
import { changeByJob, previewChange } from './change.service.ts';
import { createDefinition } from './creation.service.ts';
import {
  findNamed,
  readDefinitionsOf,
  type StoredDefinition,
} from '../definitions/stored-definitions.ts';
import type { JobContext } from '../definition-jobs/job-context.ts';
import type { DefinitionJob } from '../definition-jobs/job-rows.ts';
import { purgeByJob, type WantedPurge } from '../purges/purges.service.ts';
import { runJobsOfCommand } from './definition-jobs.runner.ts';

/** The result of `define` for one archive or table of a file. */
export interface DefinedByCommand {
  readonly name: string;
  readonly outcome: 'created' | 'changed' | 'unchanged' | 'refused';
  readonly plan: AnsweredPlan;
  readonly isDone: boolean;
}

const NO_PLAN: AnsweredPlan = { changes: [], safe: true };

/**
 * Applies the definitions of a file one after the other, by the same plan as the calls of the interface.
 * @throws {LoadError} with a message for the administrator if the file is not a definition file
 */
export async function* defineFromFile(
  context: Pick<JobContext, 'database' | 'files'>,
  path: string,
  actor: Actor,
  { isDryRun, keepsMisfits }: { readonly isDryRun: boolean; readonly keepsMisfits: boolean },
  log: WarningLog,
): AsyncGenerator<DefinedByCommand> {
  const definitions = await readDefinitionAs(requestedDefinitions, path);
  const { database } = context;
  const runner = runJobsOfCommand(context, log);
  try {
    for (const { kind, wanted } of definitions) {
      const { name } = wanted;
      const found = await database.read(async (db) =>
        (await readDefinitionsOf(db, kind)).find(
          ({ state }) =>
            isSameName(wanted.guid ?? state.guid, state.guid) &&
            (wanted.guid !== null || isSameName(state.name, name)),
        ),
      );
      try {
        if (found) yield await change(found, kind, wanted);
        else {
          if (!isDryRun) await database.write((db) => createDefinition(db, kind, wanted, actor));
          yield { name, outcome: 'created', plan: NO_PLAN, isDone: true };
        }
      } catch (error) {
        throw error instanceof ApiError ? new LoadError(textsWithLocation(name, error)) : error;
      }
    }
  } finally {
    await runner.close();
  }

  async function change(
    { id }: StoredDefinition,
    kind: CollectionKind,
    wanted: RequestedDefinition,
  ): Promise<DefinedByCommand> {
    const request = { kind, id, wanted, keepsMisfits, actor, ifMatch: null };
    const { name } = wanted;
    const plan = await previewChange(database, request);
    if (plan.changes.length === 0) return { name, outcome: 'unchanged', plan, isDone: true };
    if (isDryRun) return { name, outcome: 'changed', plan, isDone: plan.safe || keepsMisfits };
    try {
      requireDone(await changeByJob(database, runner, request));
      return { name, outcome: 'changed', plan, isDone: true };
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'definition_conflict') throw error;
      return { name, outcome: 'refused', plan, isDone: false };
    }
  }
}

/** The messages of an error with the archive or table and the part of it that they are about. */
function textsWithLocation(name: string, { messages }: ApiError): string[] {
  return Object.entries(textsOf(messages)).flatMap(([path, texts]) =>
    texts.map((text) => `${path === '-' ? name : `${name}, ${path}`}: ${text}`),
  );
}

/**
 * Deletes an object permanently, and waits for the end: see `purgeByJob`.
 * @throws {ApiError} also 409 if the job was cancelled
 */
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
  const runner = runJobsOfCommand(context, log);
  try {
    const all = { ...wanted, id, ifMatch: null };
    requireDone(await purgeByJob(database, runner, all));
  } finally {
    await runner.close();
  }
}

/** @param job that has ended; null: it is done */
function requireDone(job: DefinitionJob | null): void {
  if (job) throw new ApiError('conflict', texts.jobCancelled({ job: job.id }));
}
