import * as definitionTexts from '#messages/service/definitions.ts';
import { READ_COMMITTED, type Transaction } from '#server/database/database.ts';
import {
  defineRead,
  definePreparedRoute,
  type AnyRoute,
  type PathParams,
  FOR_ADMINISTRATORS,
} from '#server/http/route.ts';
import { jobsAnswer } from '#shared/contract/configuration-definitions.ts';
import { ApiError } from '#shared/contract/errors.ts';
import { countedIdSchema } from '#shared/contract/requests.ts';
import { idParameter } from '../records/write-request.ts';
import { answerJobWithPlan } from './change.service.ts';
import type { DefinitionJobRunner } from '../definition-jobs/job-runner.ts';
import {
  cancelDefinitionJob,
  readDefinitionJob,
  type DefinitionJob,
} from '../definition-jobs/job-rows.ts';

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
    definePreparedRoute({
      ...FOR_ADMINISTRATORS,
      access: 'manage',
      method: 'DELETE',
      path,
      summary: 'Cancel a job',
      description:
        'The definition stays as it was. A job that has already changed it, or has begun to delete permanently, cannot ' +
        'be cancelled and continues.',
      answer: null,
      async prepare(database, { params }) {
        // The job updates its row many times a second, and a serializable transaction would conflict each time.
        await database.write(
          async (db) => cancelDefinitionJob(db, (await requireJob(db, params)).id),
          READ_COMMITTED,
        );
        runner.wake();
        return async () => ({});
      },
    }),
  ];
}

/** @throws {ApiError} 404 */
async function requireJob(db: Transaction, params: PathParams): Promise<DefinitionJob> {
  const id = idParameter(countedIdSchema, params['jobId'], definitionTexts.noJob);
  const job = await readDefinitionJob(db, id);
  if (!job) throw new ApiError('not_found', definitionTexts.noJob);
  return job;
}
