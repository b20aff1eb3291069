import { queryOptions } from '@tanstack/react-query';
import type { SystemJobEntry } from '#shared/contract/system-jobs.ts';
import { administrationAnswers } from '#web/api/load-answer-schemas.ts';
import { administrationPaths } from '#web/api/administration-paths.ts';
import { readData } from '#web/api/request.ts';

export const systemJobKeys = {
  all: ['system', 'jobs'] as const,
  list: ['system', 'jobs', 'list'] as const,
  backups: ['system', 'jobs', 'backups'] as const,
};

/** How often the jobs are polled while one runs, and otherwise, in milliseconds. */
const REFRESH = { running: 1_000, idle: 15_000 };

/** Whether a state belongs to an active job. */
export const isActive = ({ state }: { readonly state: string }) =>
  ['running', 'cancelling', 'applying', 'undoing'].includes(state);

/** Backups, checks, changes of definitions and bulk edits, running and recent. */
export const systemJobsQuery = queryOptions({
  queryKey: systemJobKeys.list,
  queryFn: ({ signal }) =>
    readData(administrationPaths.systemJobs(), {
      signal,
      parse: async (raw) => (await administrationAnswers()).systemJobsAnswer.parse(raw),
    }),
  refetchInterval: ({ state: { data } }) => {
    const all = data ? [...data.jobs, ...data.definitionJobs, ...data.bulkEdits] : [];
    return all.some(isActive) ? REFRESH.running : REFRESH.idle;
  },
});

/** The backups on the machine of this process. @param lastJob the newest finished job: they are refetched after it */
export const backupsQuery = (lastJob: SystemJobEntry | undefined) =>
  queryOptions({
    queryKey: [...systemJobKeys.backups, lastJob?.jobId ?? null],
    queryFn: ({ signal }) =>
      readData(administrationPaths.backups(), {
        signal,
        parse: async (raw) => (await administrationAnswers()).backupsAnswer.parse(raw),
      }),
  });
