import { Group, Modal, Progress } from '@mantine/core';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import type { Column } from '#shared/rules/definitions.ts';
import { connection } from '#web/api/connection.ts';
import { formatCount } from '#shared/messages/format.ts';
import { Button } from '#web/ui/button.tsx';
import { readersInstant } from '#web/fields/value-text.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import type { PasteJob } from './journal.ts';
import classes from './paste.module.css';
import { UnrevertedList } from './unreverted-list.tsx';
import { pastedWords, type ShownJob } from './paste-jobs.ts';
import { rowsToGo, type ShownPasteJobs } from './use-paste-job.ts';

interface PasteJobDialogProps {
  readonly jobs: ShownPasteJobs;
  readonly shown: ShownJob;
  readonly tableLabel: string;
  /** all of the table */
  readonly columns: readonly Column[];
}

/** How far a large paste is, and what may be done about it. */
export function PasteJobDialog({ jobs, shown, tableLabel, columns }: PasteJobDialogProps) {
  const { job, is, failure, left, stay } = shown;
  const working = is === 'going' || is === 'back';
  const done = is === 'done' || is === 'undone';
  const isLost = useSyncExternalStore(connection.subscribe, connection.get) === 'lost';
  const rowsLeft = rowsToGo(shown);
  const actions = useRef<HTMLDivElement>(null);
  // The button that had the keyboard goes with what it was for.
  useEffect(() => {
    const { current } = actions;
    if (current?.contains(document.activeElement)) return;
    current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  });
  return (
    <Modal
      opened
      size="lg"
      onClose={() => done && jobs.close()}
      withCloseButton={done}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
      title={titleOf(shown, tableLabel)}
    >
      {failure && <ErrorPanel error={failure} title="The paste stopped" />}
      {!done && (
        <Progress
          className={classes.progress ?? ''}
          value={(job.rowsDone / Math.max(1, job.rows)) * 100}
          aria-label="Rows pasted"
        />
      )}
      {/* Its own live region: what stands outside a modal dialog, as the grid's does, is not told while it is open. */}
      <p className={classes.state} aria-live="polite">
        {is === 'done' && left > 0 && pastedWords(job.rows, left)}
        {is === 'undone' && stay.count > 0 && (
          <>
            {stay.count === 1
              ? 'One cell or row stays'
              : `${formatCount(stay.count)} cells or rows stay`}{' '}
            as {stay.count === 1 ? 'it is' : 'they are'}: edited after the paste.
          </>
        )}
        {working && isLost && (
          <>
            The server is away: {formatCount(rowsLeft)} {rowsLeft === 1 ? 'row waits' : 'rows wait'}{' '}
            here and {rowsLeft === 1 ? 'continues' : 'continue'} when it is back.
          </>
        )}
        {is === 'stopped' && explained(job, jobs.canGoOn(job))}
      </p>
      {is === 'undone' && stay.count > 0 && <UnrevertedList stay={stay} columns={columns} />}
      <Group justify="flex-end" ref={actions}>
        {working && (
          <Button key="stop" variant="default" onClick={jobs.stop} data-autofocus>
            Stop
          </Button>
        )}
        {is === 'stopped' && (
          <>
            <Button variant="subtle" color="gray" onClick={jobs.leave}>
              Leave it
            </Button>
            {job.is !== 'back' && (
              <Button variant="default" onClick={jobs.takeBack}>
                Undo
              </Button>
            )}
            <Button onClick={jobs.goOn} disabled={!jobs.canGoOn(job)} data-autofocus>
              {job.is === 'back' ? 'Resume undo' : 'Resume'}
            </Button>
          </>
        )}
        {is === 'done' && (
          <Button key="back" variant="default" onClick={jobs.takeBack}>
            Undo
          </Button>
        )}
        {done && (
          <Button key="done" onClick={jobs.close} data-autofocus>
            Done
          </Button>
        )}
      </Group>
    </Modal>
  );
}

function titleOf({ job, is, left }: ShownJob, tableLabel: string): string {
  const [at, of] = [formatCount(job.rowsDone), formatCount(job.rows)];
  switch (is) {
    case 'going':
      return `Pasting into ${tableLabel}: row ${at} of ${of}`;
    case 'back':
      return `Undoing the paste into ${tableLabel}: ${at} rows left`;
    case 'stopped':
      return job.is === 'back'
        ? `Undoing a paste stopped: ${at} of ${of} rows are left`
        : `A paste stopped at row ${at} of ${of}`;
    case 'done':
      return job.stoppedOf === undefined && left === 0
        ? `${of} rows are pasted into ${tableLabel}`
        : `${formatCount(job.rows - left)} of ${formatCount(job.stoppedOf ?? job.rows)} rows are pasted into ${tableLabel}`;
    case 'undone':
      return 'The paste is undone';
    default:
      return is satisfies never;
  }
}

function explained(job: PasteJob, canGoOn: boolean): string {
  const begun = readersInstant(new Date(job.at).toISOString());
  if (job.is === 'back') return `The paste was begun on ${begun}.`;
  return canGoOn
    ? `It was begun on ${begun}. You can resume with the next row, undo what is pasted, or leave it as it is.`
    : `It was begun on ${begun}: too long ago to resume without the risk of duplicate rows.`;
}
