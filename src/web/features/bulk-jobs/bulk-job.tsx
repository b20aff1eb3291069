import * as texts from '#messages/bulk-jobs.ts';
import * as commonTexts from '#messages/common.ts';
import { Progress } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useForm } from 'react-hook-form';
import type { AnsweredBulkEdit, Outcome } from '#shared/contract/bulk-edit-answers.ts';
import { userLocale } from '#shared/messages/format.ts';
import { notationOf } from '#shared/values/readings.ts';
import { apiPaths } from '#web/api/api-paths.ts';
import type { BulkTarget } from '#web/api/bulk-target.ts';
import { Button } from '#web/ui/button.tsx';
import { CountFilter } from '#web/ui/count-filter.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { QueryPending } from '#web/ui/query-state.tsx';
import { focusUnlessTyping, requestFocus } from '#web/ui/focus-request.ts';
import { CheckboxField } from '#web/ui/form/form-fields.tsx';
import { keyLabel, useShortcut } from '#web/ui/shortcuts.ts';
import { useIsPainted } from '#web/ui/use-is-painted.ts';
import { useBulkStep, useDiscard } from './bulk-jobs.mutations.ts';
import { bulkEditQuery, isInProgress } from './bulk-jobs.queries.ts';
import { outcomeTotalQuery } from './outcomes.queries.ts';
import shared from '#web/ui/shared.module.css';
import classes from './bulk-job.module.css';
import { PlannedFindings } from './planned-findings.tsx';
import { OutcomeRows } from './outcome-rows.tsx';
import { createsRecords, failedCount, createsAndChanges, outcomesOf } from './outcomes.ts';
import { percentDone, plannedOf } from './progress.ts';
import { ruleText } from './rule-text.ts';

/** Returns to the form of the plan, with the entered values. */
interface BackAction {
  readonly label: string;
  readonly onBack: () => void;
}

interface BulkJobProps {
  readonly target: BulkTarget;
  readonly bulkEditId: string;
  readonly onClose: () => void;
  /** continues with another bulk edit: a retry of the failed records */
  readonly onOther: (bulkEdit: AnsweredBulkEdit) => void;
  /** its application has begun */
  readonly onApplied: (bulkEdit: AnsweredBulkEdit) => void;
  /** returns to the form of the plan, if it still exists */
  readonly back?: BackAction | undefined;
  /** asks before an action that closes it or continues with another job, if that would lose input next to it */
  readonly confirmDiscard: (act: () => void) => void;
}

/** A bulk edit from its plan to its receipt: the preview, the progress, and the outcome of each revision. */
export function BulkJob(props: BulkJobProps) {
  const { target, bulkEditId } = props;
  const query = useQuery(bulkEditQuery(target.collection, bulkEditId));
  useEffect(requestFocus, []);
  if (query.data) return <Job {...props} bulkEdit={query.data} />;
  return (
    <div className={classes.message}>
      <QueryPending query={query} title={texts.notRead} loading={texts.loading} />
    </div>
  );
}

function Job(props: BulkJobProps & { readonly bulkEdit: AnsweredBulkEdit }) {
  const { target, bulkEdit } = props;
  const outcomes = outcomesOf(bulkEdit, useNewRecords(target, bulkEdit));
  const [chosen, setChosen] = useState<Outcome | null>(null);
  const shown = outcomes.find(({ outcome }) => outcome === chosen) ?? outcomes[0];
  const step = useBulkStep(target.collection);
  const [rowsShown, setRowsShown] = useState(false);
  const isPainted = useIsPainted(rowsShown ? bulkEdit.bulkEditId : null);
  return (
    <>
      <div className={`${shared.column} ${shared.rest}`}>
        <Heading target={target} bulkEdit={bulkEdit} />
        {step.error && <ErrorPanel error={step.error} title={texts.notDone} />}
        <div className={classes.outcomes}>
          <CountFilter
            label={texts.outcomesOf[target.collection.kind]}
            parts={outcomes.map(({ outcome, label, count, isProblem }) => ({
              name: outcome,
              label,
              count,
              ...(isProblem && { tone: 'danger' as const }),
            }))}
            shown={shown?.outcome ?? null}
            onShow={setChosen}
            countFirst
          />
          <RefusedRowsLink target={target} bulkEdit={bulkEdit} />
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
      {bulkEdit.state === 'planned' ? (
        <PlanFooter {...props} step={step} isPainted={isPainted} />
      ) : (
        <JobFooter {...props} step={step} />
      )}
    </>
  );
}

interface PartProps {
  readonly target: BulkTarget;
  readonly bulkEdit: AnsweredBulkEdit;
}

/** Downloads the refused rows of an imported file, to be corrected there. */
function RefusedRowsLink({ target: { collection }, bulkEdit }: PartProps) {
  const { kind, bulkEditId, counts } = bulkEdit;
  if (kind !== 'import' || counts.invalid + counts.missing === 0) return null;
  const separator = notationOf(userLocale()).decimal === ',' ? 'semicolon' : 'comma';
  return (
    <a href={`${apiPaths.refusedRows(collection, bulkEditId)}?separator=${separator}`} download="">
      {texts.downloadRefused}
    </a>
  );
}

function Heading({ target, bulkEdit }: PartProps) {
  const { state, message, fileName, edits, findings } = bulkEdit;
  return (
    <div className={classes.heading}>
      <p className={classes.title} role="status">
        {titleOf(target, bulkEdit)}
      </p>
      {message !== null && <p className={classes.problem}>{message}</p>}
      {fileName !== undefined && <p className={classes.file}>{texts.importedFile(fileName)}</p>}
      {edits.length > 0 && (
        <p className={shared.muted}>{edits.map((rule) => ruleText(target, rule)).join(' · ')}</p>
      )}
      {state === 'planned' && findings && <PlannedFindings findings={findings} />}
      {(isInProgress(bulkEdit) || state === 'paused') && plannedOf(bulkEdit) > 0 && (
        <Progress
          value={percentDone(bulkEdit)}
          aria-label={commonTexts.progress}
          animated={state !== 'paused'}
        />
      )}
    </div>
  );
}

/** The effect of a plan. Problems are shown next to it, or as the reason why nothing will be done. */
function plannedText(target: BulkTarget, bulkEdit: AnsweredBulkEdit): string {
  const { created = 0, changed, conflicts, invalid, locked, missing } = bulkEdit.counts;
  const problems = conflicts + invalid + locked + missing;
  const plan = { kind: target.collection.kind, created, changed, problems };
  return plannedOf(bulkEdit) === 0 ? texts.plannedNothing(plan) : texts.planned(plan);
}

/** The number of new records that the job's counts do not contain. */
function useNewRecords({ collection }: BulkTarget, bulkEdit: AnsweredBulkEdit) {
  const { counts } = bulkEdit;
  const done = useQuery({
    ...outcomeTotalQuery(collection, bulkEdit, 'created'),
    enabled: createsAndChanges(bulkEdit) && counts.done > 0,
  });
  const pending = useQuery({
    ...outcomeTotalQuery(collection, bulkEdit, 'new'),
    enabled: createsAndChanges(bulkEdit) && counts.pending > 0,
  });
  return { done: done.data ?? 0, pending: pending.data ?? 0 };
}

function titleOf(target: BulkTarget, bulkEdit: AnsweredBulkEdit): string {
  const { state, counts } = bulkEdit;
  const { kind } = target.collection;
  const applied = {
    kind,
    creates: createsRecords(bulkEdit),
    count: plannedOf(bulkEdit),
    done: counts.done,
  };
  switch (state) {
    case 'planned':
      return plannedText(target, bulkEdit);
    case 'applying':
      return texts.applying(applied);
    case 'paused':
      return texts.paused(applied);
    case 'done':
      return texts.applied({ ...applied, count: counts.done });
    case 'stopped':
      return texts.stopped(applied);
    case 'undoing':
      return texts.undoing(counts.takenBack);
    case 'undone':
      return texts.undone({ kind, count: counts.takenBack });
    default:
      return state satisfies never;
  }
}

interface FooterProps extends BulkJobProps {
  readonly bulkEdit: AnsweredBulkEdit;
  readonly step: ReturnType<typeof useBulkStep>;
}

/**
 * Applies or discards a plan.
 * @param isPainted whether the planned changes were painted: only then may they be applied
 */
function PlanFooter(props: FooterProps & { readonly isPainted: boolean }) {
  const { target, bulkEdit, step, isPainted, onClose, onApplied, back, confirmDiscard } = props;
  const form = useForm({ defaultValues: { refuses: false } });
  const discard = useDiscard(target.collection);
  const count = plannedOf(bulkEdit);
  const apply = () => {
    const onChanged = form.getValues('refuses') ? 'refuse' : 'leaveOut';
    step.mutate({ id: bulkEdit.bulkEditId, to: 'apply', onChanged }, { onSuccess: onApplied });
  };
  const leave = () => {
    discard.mutate(bulkEdit.bulkEditId);
    onClose();
  };
  const foot = useRef<HTMLElement>(null);
  useShortcut('mod+Enter', apply, {
    inFields: true,
    within: foot,
    enabled: count > 0 && isPainted && !step.isPending,
    writes: true,
  });
  return (
    <footer ref={foot} className={classes.foot}>
      <div className={classes.space}>
        {bulkEdit.counts.changed > 0 && (
          <CheckboxField
            control={form.control}
            name="refuses"
            label={texts.cancelIfChanged}
            description={texts.cancelIfChangedHint}
          />
        )}
      </div>
      {back && (
        <Button variant="default" onClick={back.onBack}>
          {back.label}
        </Button>
      )}
      <Button variant="default" onClick={() => confirmDiscard(leave)}>
        {commonTexts.cancel}
      </Button>
      <Button
        writes
        ref={isPainted ? focusUnlessTyping : null}
        loading={step.isPending}
        disabled={count === 0 || !isPainted}
        title={keyLabel('mod+Enter')}
        onClick={apply}
      >
        {texts.apply({ kind: target.collection.kind, creates: createsRecords(bulkEdit), count })}
      </Button>
    </footer>
  );
}

/** Pauses, continues, undoes and repeats a job. */
function JobFooter(props: FooterProps) {
  const { target, bulkEdit, step, onClose, onOther, confirmDiscard } = props;
  const { state, counts } = bulkEdit;
  const { bulkEditId: id } = bulkEdit;
  const runStep = (to: 'pause' | 'resume' | 'undo') => () => step.mutate({ id, to });
  const again = () => step.mutate({ id, to: 'again' }, { onSuccess: onOther });
  const failed = failedCount(bulkEdit);
  const ended = state === 'done' || state === 'stopped';
  return (
    <footer className={classes.foot}>
      <span className={classes.space} />
      {state === 'applying' && (
        <Button writes variant="default" loading={step.isPending} onClick={runStep('pause')}>
          {texts.pause}
        </Button>
      )}
      {state === 'paused' && (
        <Button writes loading={step.isPending} onClick={runStep('resume')}>
          {texts.resume}
        </Button>
      )}
      {(ended || state === 'paused') && counts.done > 0 && (
        <Button
          writes
          variant="light"
          color="red"
          loading={step.isPending}
          onClick={runStep('undo')}
        >
          {texts.undoAll}
        </Button>
      )}
      {ended && failed > 0 && target.collection.kind === 'archive' && !createsRecords(bulkEdit) && (
        <Button
          writes
          variant="default"
          loading={step.isPending}
          onClick={() => confirmDiscard(again)}
        >
          {texts.retryFailed(failed)}
        </Button>
      )}
      <Button variant="default" onClick={() => confirmDiscard(onClose)}>
        {isInProgress(bulkEdit) ? texts.closeWhileRunning : commonTexts.close}
      </Button>
    </footer>
  );
}
