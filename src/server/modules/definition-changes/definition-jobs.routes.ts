import * as definitionTexts from '#messages/service/definitions.ts';
import type { Transaction } from '#server/database/database.ts';
import { defineRead, defineRoute, type AnyRoute, FOR_ADMINISTRATORS } from '#server/http/route.ts';
import { jobsAnswer } from '#shared/contract/configuration-definitions.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { revisionIdSchema } from '#shared/contract/requests.ts';
import { idParameter } from '../records/write-request.ts';
import { answerJobWithPlan } from './change.service.ts';
import type { DefinitionJobRunner } from '../definition-jobs/job-runner.ts';
import { readJob, updateJob, type DefinitionJob } from '../definition-jobs/job-rows.ts';

/** The jobs that change definitions (docs/interface/administration.md, section 1). */
export function definitionJobRoutes(runner: DefinitionJobRunner): AnyRoute[] {
  const path = 'configuration/jobs/:jobId';
  return [
    defineRead({
      path,
      summary: 'A job that changes a definition',
      ...FOR_ADMINISTRATORS,
      answer: jobsAnswer,
      async handle(db, { params }) {
        return { body: { jobs: [await answerJobWithPlan(db, await requireJob(db, params))] } };
      },
    }),
    defineRoute({
      ...FOR_ADMINISTRATORS,
      access: 'manage',
      method: 'DELETE',
      path,
      summary: 'Cancel a job',
      description:
        'The definition stays as it was. A job that has already changed it, or has begun to delete permanently, cannot ' +
        'be cancelled and continues.',
      answer: null,
      async handle(db, { params }) {
        const job = await requireJob(db, params);
        if (job.state === 'running' && !SWITCHED.includes(job.phase)) {
          await updateJob(db, job.id, { state: 'cancelling' });
          runner.wake();
        }
        return {};
      },
    }),
  ];
}

/** The phases in which a job cannot be cancelled any more. */
const SWITCHED: readonly DefinitionJob['phase'][] = ['search', 'blank', 'remove'];

/** @throws {ApiError} 404 */
async function requireJob(
  db: Transaction,
  params: Readonly<Record<string, string>>,
): Promise<DefinitionJob> {
  const id = idParameter(revisionIdSchema, params['jobId'], definitionTexts.noJob);
  const job = await readJob(db, id);
  if (!job) throw new ApiError('not_found', definitionTexts.noJob);
  return job;
}
