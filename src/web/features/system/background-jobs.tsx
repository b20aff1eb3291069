import { useQuery } from '@tanstack/react-query';
import { jobErrorText } from '#messages/job-errors.ts';
import * as texts from '#messages/system-jobs.ts';
import type { CollectionJob, SystemJobEntry } from '#shared/contract/system-jobs.ts';
import { administrationPaths } from '#web/api/administration-paths.ts';
import { useCollections } from '#web/api/collections.queries.ts';
import { collectionName } from '#web/api/named-collections.ts';
import { localInstant } from '#web/fields/value-text.ts';
import { Button } from '#web/ui/button.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import { PlainTable } from '#web/ui/plain-table.tsx';
import { useCancelJob } from './system-jobs.mutations.ts';
import { systemJobsQuery } from './system-jobs.queries.ts';
import shared from '#web/ui/shared.module.css';

/** A job as it is listed. */
interface ListedJob {
  readonly key: string;
  readonly name: string;
  readonly state: string;
  readonly startedAt: string;
  readonly startedBy: string;
  /** the call that cancels it; null: not cancellable here, or finished */
  readonly cancel: string | null;
}

/** All background jobs, running and recent, newest first. */
export function BackgroundJobs() {
  const { data, error, refetch } = useQuery(systemJobsQuery);
  const collections = useCollections().data ?? [];
  const { mutate, isPending, variables } = useCancelJob();
  if (!data) return <QueryPending query={{ error, refetch }} title={texts.jobsNotRead} />;
  const nameOf = ({ archive, table }: CollectionJob) =>
    collectionName(collections, archive ?? table ?? '');
  const listed = [
    ...data.jobs.map(listSystemJob),
    ...data.definitionJobs.map((job) => ({
      ...listCollectionJob('definition', job, nameOf(job)),
      cancel: job.state === 'running' ? administrationPaths.definitionJob(job.jobId) : null,
    })),
    ...data.bulkEdits.map((job) => listCollectionJob('bulk edit', job, nameOf(job))),
  ].toSorted((a, b) => b.startedAt.localeCompare(a.startedAt));
  if (listed.length === 0) return <p className={shared.muted}>{texts.noJobs}</p>;
  return (
    <PlainTable isStacked headings={[texts.job, texts.state, texts.started, texts.actions]}>
      {listed.map(({ key, name, state, startedAt, startedBy, cancel }) => (
        <tr key={key}>
          <th scope="row" data-label={texts.job}>
            {name}
          </th>
          <td data-label={texts.state}>{state}</td>
          <td data-label={texts.started}>
            {texts.madeBy({ at: localInstant(startedAt), by: startedBy })}
          </td>
          <td data-label={texts.actions}>
            {cancel !== null && (
              <Button
                writes
                variant="default"
                size="compact-sm"
                aria-label={texts.cancelOf(name)}
                loading={isPending && variables === cancel}
                onClick={() => mutate(cancel)}
              >
                {texts.cancel}
              </Button>
            )}
          </td>
        </tr>
      ))}
    </PlainTable>
  );
}

function listSystemJob(job: SystemJobEntry): ListedJob {
  const { jobId, kind, backup, state, progress, error, startedAt, startedBy } = job;
  const name = texts.kinds[kind];
  return {
    key: `system ${jobId}`,
    name: backup === null ? name : texts.jobOn({ job: name, on: backup }),
    state: withDetail(texts.stateOf(state), error ?? progress),
    startedAt,
    startedBy,
    cancel: state === 'running' ? administrationPaths.systemJob(jobId) : null,
  };
}

function listCollectionJob(of: string, job: CollectionJob, on: string): ListedJob {
  const { jobId, kind, state, done, total, error, startedAt, startedBy } = job;
  const progress = total > 0 ? texts.progressOf({ done, total }) : null;
  const reason = error === null ? null : jobErrorText(error);
  return {
    key: `${of} ${jobId}`,
    name: texts.jobOn({ job: texts.kinds[kind], on }),
    state: withDetail(texts.stateOf(state), reason ?? progress),
    startedAt,
    startedBy,
    cancel: null,
  };
}

function withDetail(state: string, detail: string | null): string {
  return detail === null ? state : texts.stateWith({ state, detail });
}
