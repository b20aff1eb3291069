import { useInfiniteQuery } from '@tanstack/react-query';
import type { AnsweredBulkEdit } from '#shared/contract/bulk-edit-answers.ts';
import { type BulkTarget, countedRecords } from '#web/api/bulk-target.ts';
import { Button } from '#web/ui/button.tsx';
import { Empty } from '#web/ui/empty.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { PersonName } from '#web/ui/person-name.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { localInstant } from '#web/fields/value-text.ts';
import { bulkEditsQuery } from './bulk-jobs.queries.ts';
import classes from './bulk-job.module.css';
import { ruleText } from './rule-text.ts';

interface JobListProps {
  readonly target: BulkTarget;
  readonly onOpen: (bulkEditId: string) => void;
}

const STATES: Readonly<Record<AnsweredBulkEdit['state'], string>> = {
  planned: 'planned, nothing changed yet',
  applying: 'under way',
  paused: 'paused',
  done: 'done',
  stopped: 'stopped',
  undoing: 'being undone',
  undone: 'undone',
};

function whatOf(target: BulkTarget, { kind, edits }: AnsweredBulkEdit): string {
  if (kind === 'import') return 'Imported spreadsheet';
  if (kind === 'paste') return 'Pasted rows';
  // Keywords, and what was put back, are no rules.
  if (edits.length === 0) return 'Several corrected together';
  return edits.map((rule) => ruleText(target, rule)).join(' · ');
}

/** The bulk edits so far, newest first. */
export function JobList({ target, onOpen }: JobListProps) {
  const query = useInfiniteQuery(bulkEditsQuery(target.place));
  if (!query.data) {
    return (
      <div className={classes.message}>
        {query.error ? (
          <ErrorPanel error={query.error} onRetry={() => void query.refetch()} />
        ) : (
          <Spinner size={20} label="Loading the bulk edits" />
        )}
      </div>
    );
  }
  const jobs = query.data.pages.flatMap(({ bulkedits }) => bulkedits);
  if (jobs.length === 0) {
    return (
      <Empty
        title={
          target.place.kind === 'archive' ? 'No bulk edits yet' : 'No imports or large pastes yet'
        }
      >
        {target.place.kind === 'archive' &&
          'Select revisions in the list to correct many of them by rules or together. What was done so stands here, and can be undone. '}
        {target.place.kind === 'archive'
          ? 'Imports of spreadsheets are listed here, and can be undone.'
          : 'Imports of spreadsheets and pastes of more than 1,000 rows are listed here, and can be undone.'}
      </Empty>
    );
  }
  return (
    <ul className={classes.jobs}>
      {jobs.map((job) => (
        <li key={job.bulkEditId}>
          <button type="button" className={classes.jobRow} onClick={() => onOpen(job.bulkEditId)}>
            <span className={classes.jobWhat}>{whatOf(target, job)}</span>
            <span className={classes.quiet}>
              {countedRecords(target, job.counts.total)} · {STATES[job.state]} ·{' '}
              <PersonName username={job.createdBy} />, {localInstant(job.createdAt)}
            </span>
          </button>
        </li>
      ))}
      {query.hasNextPage && (
        <li>
          <Button
            variant="subtle"
            className={classes.more ?? ''}
            loading={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            Show more
          </Button>
        </li>
      )}
    </ul>
  );
}
