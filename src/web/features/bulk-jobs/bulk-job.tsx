import { Progress } from '@mantine/core';
import { Checkbox } from '#web/ui/inputs/checkbox.tsx';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import type { AnsweredBulkEdit, Outcome } from '#shared/contract/bulk-edit-answers.ts';
import { type BulkTarget, countedRecords } from '#web/api/bulk-target.ts';
import { formatCount } from '#shared/messages/format.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { focusFirst } from '#web/ui/focus-first.ts';
import { keyLabel, useShortcut } from '#web/ui/shortcuts.ts';
import { Spinner } from '#web/ui/spinner.tsx';
import { useDrawn } from '#web/ui/use-drawn.ts';
import { useBulkStep, useDiscard } from './bulk-jobs.mutations.ts';
import { bulkEditQuery, isUnderWay, outcomeTotalQuery } from './bulk-jobs.queries.ts';
import classes from './bulk-job.module.css';
import { OutcomeRows } from './outcome-rows.tsx';
import { failedCount, outcomesOf } from './outcomes.ts';
import { percentDone, plannedOf } from './progress.ts';
import { ruleText } from './rule-text.ts';

interface BulkJobProps {
  readonly target: BulkTarget;
  readonly bulkEditId: string;
  readonly onClose: () => void;
  /** goes on with another bulk edit: the failed ones once more */
  readonly onOther: (bulkEdit: AnsweredBulkEdit) => void;
  /** its application has begun */
  readonly onApplied?: ((bulkEdit: AnsweredBulkEdit) => void) | undefined;
  /** the way back to the rules, where there is one */
  readonly onBack?: (() => void) | undefined;
}

/** A bulk edit from its plan to its receipt: what would change, how far it is, what became of each revision. */
export function BulkJob(props: BulkJobProps) {
  const { target, bulkEditId } = props;
  const query = useQuery(bulkEditQuery(target.place, bulkEditId));
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
  const { target, bulkEdit, onClose } = props;
  const outcomes = outcomesOf(bulkEdit, useCreated(target, bulkEdit));
  const [chosen, setChosen] = useState<Outcome | null>(null);
  const shown = outcomes.find(({ outcome }) => outcome === chosen) ?? outcomes[0];
  const step = useBulkStep(target.place, bulkEdit.bulkEditId);
  const [rowsShown, setRowsShown] = useState(false);
  const isDrawn = useDrawn(rowsShown ? bulkEdit.bulkEditId : null);
  return (
    <>
      <div className={classes.job}>
        <Heading target={target} bulkEdit={bulkEdit} />
        {step.error && <ErrorPanel error={step.error} title="This could not be done" />}
        <div
          className={classes.outcomes}
          role="group"
          aria-label={`What became of the ${target.words.many}`}
        >
          {outcomes.map(({ outcome, label, count, trouble }) => (
            <button
              key={outcome}
              type="button"
              className={classes.outcome}
              aria-pressed={outcome === shown?.outcome}
              data-trouble={trouble || undefined}
              onClick={() => setChosen(outcome)}
            >
              <b>{formatCount(count)}</b> {label}
            </button>
          ))}
        </div>
        {shown && (
          <OutcomeRows
            key={shown.outcome}
            target={target}
            bulkEdit={bulkEdit}
            outcome={shown.outcome}
            onShown={() => setRowsShown(true)}
          />
        )}
      </div>
      <Foot {...props} step={step} isDrawn={isDrawn} onClose={onClose} />
    </>
  );
}

function Heading({
  target,
  bulkEdit,
}: {
  readonly target: BulkTarget;
  readonly bulkEdit: AnsweredBulkEdit;
}) {
  const { state, message, edits } = bulkEdit;
  return (
    <div className={classes.heading}>
      <p className={classes.title} role="status">
        {titleOf(target, bulkEdit)}
      </p>
      {message !== null && <p className={classes.trouble}>{message}</p>}
      {edits.length > 0 && (
        <p className={classes.rules}>{edits.map((rule) => ruleText(target, rule)).join(' · ')}</p>
      )}
      {(isUnderWay(bulkEdit) || state === 'paused') && plannedOf(bulkEdit) > 0 && (
        <Progress
          value={percentDone(bulkEdit)}
          aria-label="Progress"
          animated={state !== 'paused'}
        />
      )}
    </div>
  );
}

function wouldText(target: BulkTarget, { counts }: AnsweredBulkEdit): string {
  const { created = 0, changed } = counts;
  if (created === 0) return `${countedRecords(target, changed)} would change`;
  const creates = `${countedRecords(target, created)} would be created`;
  return changed === 0 ? creates : `${creates} and ${formatCount(changed)} changed`;
}

/** How many rows of a plan, or revisions, would be left out; null: none. */
function problemsText({ place }: BulkTarget, { counts }: AnsweredBulkEdit): string | null {
  const { conflicts, invalid, locked, missing } = counts;
  const problems = conflicts + invalid + locked + missing;
  if (problems === 0) return null;
  const row = place.kind === 'table' ? 'row' : 'revision';
  return problems === 1
    ? `1 ${row} has a problem`
    : `${formatCount(problems)} ${row}s have problems`;
}

/** What a plan would do. What has problems is named beside it, or as the reason why nothing would be done. */
function plannedText(target: BulkTarget, bulkEdit: AnsweredBulkEdit): string {
  const problems = problemsText(target, bulkEdit);
  if (plannedOf(bulkEdit) === 0) {
    return problems === null ? 'Nothing would change' : `Nothing can be changed: ${problems}`;
  }
  const would = [wouldText(target, bulkEdit), problems].filter((text) => text !== null);
  return `${would.join(', ')}; nothing is changed yet`;
}

/** How many of a table's records are new ones, which the job's own counts do not tell apart. */
function useCreated({ place }: BulkTarget, bulkEdit: AnsweredBulkEdit) {
  const { bulkEditId, state, counts } = bulkEdit;
  const some = place.kind === 'table' && (counts.created ?? 0) > 0;
  const moment = isUnderWay(bulkEdit) ? 'under way' : state;
  const done = useQuery({
    ...outcomeTotalQuery(place, bulkEditId, 'created', moment),
    enabled: some && counts.done > 0,
  });
  const pending = useQuery({
    ...outcomeTotalQuery(place, bulkEditId, 'new', moment),
    enabled: some && counts.pending > 0,
  });
  return { done: done.data ?? 0, pending: pending.data ?? 0 };
}

function titleOf(target: BulkTarget, bulkEdit: AnsweredBulkEdit): string {
  const { state, counts } = bulkEdit;
  const counted = (count: number) => countedRecords(target, count);
  const planned = plannedOf(bulkEdit);
  const changed = target.place.kind === 'archive' ? 'changed' : 'written';
  switch (state) {
    case 'planned':
      return plannedText(target, bulkEdit);
    case 'applying':
      return `${changed === 'changed' ? 'Changing' : 'Writing'} ${counted(planned)}: ${formatCount(counts.done)} done`;
    case 'paused':
      return `Paused: ${formatCount(counts.done)} of ${counted(planned)} ${changed}`;
    case 'done':
      return `${counted(counts.done)} ${changed}`;
    case 'stopped':
      return `Stopped: ${formatCount(counts.done)} of ${counted(planned)} ${changed}`;
    case 'undoing':
      return `Undoing: ${formatCount(counts.takenBack)} done`;
    case 'undone':
      return `${counted(counts.takenBack)} undone`;
    default:
      return state satisfies never;
  }
}

interface FootProps extends BulkJobProps {
  readonly bulkEdit: AnsweredBulkEdit;
  readonly step: ReturnType<typeof useBulkStep>;
  /** whether the planned changes were painted: only these may be applied */
  readonly isDrawn: boolean;
}

function Foot(props: FootProps) {
  const { target, bulkEdit, step, isDrawn, onClose, onOther, onApplied, onBack } = props;
  const [refuses, setRefuses] = useState(false);
  const discard = useDiscard(target.place);
  const { state, counts } = bulkEdit;
  const go = (to: 'pause' | 'resume' | 'undo') => () => step.mutate({ to });
  const again = () => step.mutate({ to: 'again' }, { onSuccess: onOther });
  const close = (
    <Button variant="default" onClick={onClose}>
      {isUnderWay(bulkEdit) ? 'Close, keep running' : 'Close'}
    </Button>
  );
  const apply = () =>
    step.mutate(
      { to: 'apply', onChanged: refuses ? 'refuse' : 'leaveOut' },
      { onSuccess: (applied) => onApplied?.(applied) },
    );
  const foot = useRef<HTMLElement>(null);
  useShortcut('mod+Enter', apply, {
    inFields: true,
    within: foot,
    enabled: state === 'planned' && plannedOf(bulkEdit) > 0 && isDrawn && !step.isPending,
  });
  if (state === 'planned') {
    const leave = () => {
      discard.mutate(bulkEdit.bulkEditId);
      onClose();
    };
    return (
      <footer ref={foot} className={classes.foot}>
        <Checkbox
          className={classes.choice ?? ''}
          label="Cancel all if a record changes meanwhile"
          description="Otherwise records that change meanwhile are left out and listed."
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
          ref={isDrawn ? focusFirst : null}
          loading={step.isPending}
          disabled={plannedOf(bulkEdit) === 0 || !isDrawn}
          title={keyLabel('mod+Enter')}
          onClick={apply}
        >
          {target.place.kind === 'archive' ? 'Change' : 'Write'}{' '}
          {countedRecords(target, plannedOf(bulkEdit))}
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
          Resume
        </Button>
      )}
      {(ended || state === 'paused') && counts.done > 0 && (
        <Button variant="light" color="red" loading={step.isPending} onClick={go('undo')}>
          Undo all
        </Button>
      )}
      {ended && failed > 0 && target.place.kind === 'archive' && (
        <Button variant="default" loading={step.isPending} onClick={again}>
          Retry the {formatCount(failed)} that failed
        </Button>
      )}
      {close}
    </footer>
  );
}
