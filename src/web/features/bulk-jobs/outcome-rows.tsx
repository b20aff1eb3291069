import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { AnsweredBulkEdit, Outcome } from '#shared/bulk-edit-messages.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { ValueChange } from '#web/ui/value-change.tsx';
import { isUnderWay, outcomeQuery } from './bulk-jobs.queries.ts';
import classes from './bulk-job.module.css';

interface OutcomeRowsProps {
  readonly target: BulkTarget;
  readonly bulkEdit: AnsweredBulkEdit;
  readonly outcome: Outcome;
}

/** The revisions with one outcome: old → new of each, or why not. */
export function OutcomeRows({ target, bulkEdit, outcome }: OutcomeRowsProps) {
  // While the job runs its lists grow from moment to moment; they are read when it rests.
  const moment = isUnderWay(bulkEdit) ? 'under way' : bulkEdit.state;
  const rows = useInfiniteQuery(outcomeQuery(target.place, bulkEdit.bulkEditId, outcome, moment));
  if (rows.error) {
    return (
      <div className={classes.message}>
        <ErrorPanel
          error={rows.error}
          title={`The ${target.words.many} could not be read`}
          onRetry={() => void rows.refetch()}
        />
      </div>
    );
  }
  if (!rows.data) {
    return (
      <div className={classes.message}>
        <Spinner size={16} label={`Loading the ${target.words.many}`} />
      </div>
    );
  }
  const labels = new Map(target.fields.map(({ name, label }) => [name, label]));
  return (
    <div
      className={classes.scroller}
      // What scrolls has to be reached by the keyboard (WCAG 2.1.1).
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label={
        target.place.kind === 'archive' ? 'Revisions of the bulk edit' : 'Datasets of the import'
      }
    >
      <ul className={classes.rows}>
        {rows.data.pages.flatMap(({ records }) =>
          records.map(({ title, changes, message }) => (
            <li key={title} className={classes.row}>
              <span className={classes.id}>{title}</span>
              <div className={classes.what}>
                {changes.map(({ name, before, after }) => (
                  <ValueChange
                    key={name}
                    label={labels.get(name) ?? name}
                    // Taken back, a change has gone from new to old.
                    before={outcome === 'takenback' ? after : before}
                    after={outcome === 'takenback' ? before : after}
                  />
                ))}
                {message !== null && <p className={classes.trouble}>{message}</p>}
                {changes.length === 0 && message === null && (
                  <span className={classes.quiet}>No change</span>
                )}
              </div>
            </li>
          )),
        )}
      </ul>
      {rows.hasNextPage && (
        <Button
          variant="subtle"
          className={classes.more ?? ''}
          loading={rows.isFetchingNextPage}
          onClick={() => void rows.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </div>
  );
}
