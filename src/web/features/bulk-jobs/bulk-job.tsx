import { Button, Checkbox, Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ArchiveDetail } from '#shared/answers.ts';
import type { AnsweredBulkEdit, Outcome } from '#shared/bulk-edit-messages.ts';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { bulkEditQuery, isUnderWay, useBulkStep, useDiscard } from './bulk-jobs.queries.ts';
import classes from './bulk-job.module.css';
import { OutcomeRows } from './outcome-rows.tsx';
import { failedCount, outcomesOf } from './outcomes.ts';
import { ruleInWords } from './rules.ts';
import { countedRevisions } from './selection.ts';

interface BulkJobProps {
  readonly archive: ArchiveDetail;
  readonly bulkEditId: string;
  readonly onClose: () => void;
  /** goes on with another bulk edit: the failed ones once more */
  readonly onOther: (bulkEdit: AnsweredBulkEdit) => void;
  /** the way back to the rules, where there is one */
  readonly onBack?: (() => void) | undefined;
}

/** A bulk edit from its plan to its receipt: what would change, how far it is, what became of each revision. */
export function BulkJob(props: BulkJobProps) {
  const { archive, bulkEditId } = props;
  const query = useQuery(bulkEditQuery(archive.table, bulkEditId));
  if (query.data) return <Job {...props} bulkEdit={query.data} />;
  return (
    <div className={classes.message}>
      {query.error ? (
        <ErrorPanel
          error={query.error}
          title="The bulk edit could not be read"
          onRetry={() => void query.refetch()}
        />
      ) : (
        <Spinner size={20} label="Loading the bulk edit" />
      )}
    </div>
  );
}

function Job(props: BulkJobProps & { readonly bulkEdit: AnsweredBulkEdit }) {
  const { archive, bulkEdit, onClose } = props;
  const outcomes = outcomesOf(bulkEdit);
  const [chosen, setChosen] = useState<Outcome | null>(null);
  const shown = outcomes.find(({ outcome }) => outcome === chosen) ?? outcomes[0];
  const step = useBulkStep(archive.table, bulkEdit.bulkEditId);
  return (
    <>
      <div className={classes.job}>
        <Heading archive={archive} bulkEdit={bulkEdit} />
        {step.error && <ErrorPanel error={step.error} title="This could not be done" />}
        <div className={classes.outcomes} role="group" aria-label="What became of the revisions">
          {outcomes.map(({ outcome, label, count, trouble }) => (
            <button
              key={outcome}
              type="button"
              className={classes.outcome}
              aria-pressed={outcome === shown?.outcome}
              data-trouble={trouble || undefined}
              onClick={() => setChosen(outcome)}
            >
              <b>{count.toLocaleString('en')}</b> {label}
            </button>
          ))}
        </div>
        {shown && (
          <OutcomeRows
            key={shown.outcome}
            archive={archive}
            bulkEdit={bulkEdit}
            outcome={shown.outcome}
          />
        )}
      </div>
      <Foot {...props} step={step} onClose={onClose} />
    </>
  );
}

function Heading({
  archive,
  bulkEdit,
}: {
  readonly archive: ArchiveDetail;
  readonly bulkEdit: AnsweredBulkEdit;
}) {
  const { state, counts, message, edits } = bulkEdit;
  return (
    <div className={classes.heading}>
      <p className={classes.title} role="status">
        {titleOf(bulkEdit)}
      </p>
      {message !== null && <p className={classes.trouble}>{message}</p>}
      {edits.length > 0 && (
        <p className={classes.rules}>
          {edits.map((rule) => ruleInWords(archive, rule)).join(' · ')}
        </p>
      )}
      {(isUnderWay(bulkEdit) || state === 'paused') && counts.changed > 0 && (
        <Progress
          value={(100 * handled(bulkEdit)) / Math.max(counts.changed, 1)}
          aria-label="Progress"
          animated={state !== 'paused'}
        />
      )}
    </div>
  );
}

/** How many of the revisions that the plan would change are dealt with. */
function handled({ state, counts }: AnsweredBulkEdit): number {
  return state === 'undoing' ? counts.takenBack + counts.left : counts.done + counts.conflicts;
}

function titleOf(bulkEdit: AnsweredBulkEdit): string {
  const { state, counts } = bulkEdit;
  switch (state) {
    case 'planned':
      return counts.changed === 0
        ? 'Nothing would change'
        : `${countedRevisions(counts.changed)} would change; nothing is changed yet`;
    case 'applying':
      return `Changing ${countedRevisions(counts.changed)}: ${counts.done.toLocaleString('en')} done`;
    case 'paused':
      return `Paused: ${counts.done.toLocaleString('en')} of ${countedRevisions(counts.changed)} changed`;
    case 'done':
      return `${countedRevisions(counts.done)} changed`;
    case 'stopped':
      return `Stopped: ${counts.done.toLocaleString('en')} of ${countedRevisions(counts.changed)} changed`;
    case 'undoing':
      return `Taking back: ${counts.takenBack.toLocaleString('en')} done`;
    case 'undone':
      return `${countedRevisions(counts.takenBack)} taken back`;
    default:
      return state satisfies never;
  }
}

interface FootProps extends BulkJobProps {
  readonly bulkEdit: AnsweredBulkEdit;
  readonly step: ReturnType<typeof useBulkStep>;
}

function Foot({ archive, bulkEdit, step, onClose, onOther, onBack }: FootProps) {
  const [refuses, setRefuses] = useState(false);
  const discard = useDiscard(archive.table);
  const { state, counts } = bulkEdit;
  const go = (to: 'pause' | 'resume' | 'undo') => () => step.mutate({ to });
  const again = () => step.mutate({ to: 'again' }, { onSuccess: onOther });
  const close = (
    <Button variant="default" onClick={onClose}>
      {isUnderWay(bulkEdit) ? 'Close; it goes on' : 'Close'}
    </Button>
  );
  if (state === 'planned') {
    const leave = () => {
      discard.mutate(bulkEdit.bulkEditId);
      onClose();
    };
    return (
      <footer className={classes.foot}>
        <Checkbox
          className={classes.choice ?? ''}
          label="Stop everything where others change one of them meanwhile"
          description="Else those are left out and listed."
          checked={refuses}
          onChange={(event) => setRefuses(event.currentTarget.checked)}
        />
        {onBack && (
          <Button variant="default" onClick={onBack}>
            Back to the rules
          </Button>
        )}
        <Button variant="default" onClick={leave}>
          Cancel
        </Button>
        <Button
          data-autofocus
          loading={step.isPending}
          disabled={counts.changed === 0}
          onClick={() => step.mutate({ to: 'apply', onChanged: refuses ? 'refuse' : 'leaveOut' })}
        >
          Change {countedRevisions(counts.changed)}
        </Button>
      </footer>
    );
  }
  const failed = failedCount(bulkEdit);
  const ended = state === 'done' || state === 'stopped';
  return (
    <footer className={classes.foot}>
      <span className={classes.space} />
      {state === 'applying' && (
        <Button variant="default" loading={step.isPending} onClick={go('pause')}>
          Pause
        </Button>
      )}
      {state === 'paused' && (
        <Button loading={step.isPending} onClick={go('resume')}>
          Go on
        </Button>
      )}
      {(ended || state === 'paused') && counts.done > 0 && (
        <Button variant="light" color="red" loading={step.isPending} onClick={go('undo')}>
          Take all back
        </Button>
      )}
      {ended && failed > 0 && (
        <Button variant="default" loading={step.isPending} onClick={again}>
          Again for the {failed.toLocaleString('en')} that failed
        </Button>
      )}
      {close}
    </footer>
  );
}
