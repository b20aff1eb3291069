import type { WarningLog } from '#server/lib/warning-log.ts';
import type { JobContext, JobStep } from '../definition-jobs/job-context.ts';
import { openJobRunner, type DefinitionJobRunner } from '../definition-jobs/job-runner.ts';
import type { DefinitionJob } from '../definition-jobs/job-rows.ts';
import { continuePurge } from '../purges/purge-job.ts';
import { continueChange } from './change-job.ts';

type Storage = Pick<JobContext, 'database' | 'files'>;

/**
 * Runs the jobs that change and purge definitions in the background of the service.
 * @param onChange called when a definition may have changed
 * @param maxWait how long a call waits for its job, in milliseconds
 */
export function runDefinitionJobs(
  storage: Storage,
  log: WarningLog,
  onChange: () => void,
  maxWait: number,
): DefinitionJobRunner {
  const isOnlyProcess = !storage.database.adapter.isShared;
  return openJobRunner(storage, { log, runPhase, onChange, isOnlyProcess, maxWait });
}

/**
 * The same for a command, beside which the service may run: it waits until its jobs have ended, however long that takes,
 * and closes the runner.
 */
export function runJobsOfCommand(storage: Storage, log: WarningLog): DefinitionJobRunner {
  const onChange = () => undefined;
  const maxWait = Number.POSITIVE_INFINITY;
  return openJobRunner(storage, { log, runPhase, onChange, isOnlyProcess: false, maxWait });
}

function runPhase(context: JobContext, job: DefinitionJob): Promise<JobStep> {
  const { request } = job;
  return request.kind === 'change'
    ? continueChange(context, job, request)
    : continuePurge(context, job, request.number);
}
