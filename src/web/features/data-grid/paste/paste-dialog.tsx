import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { ApiFailure } from '#web/api/failure.ts';
import { CountFilter } from '#web/ui/count-filter.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { focusAutofocus } from '#web/ui/focus-autofocus.ts';
import { LocalForm } from '#web/ui/form/form.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { PasteDiff } from './paste-diff.tsx';
import { PasteQuestion } from './paste-question.tsx';
import classes from './paste.module.css';
import { PasteProblems } from './plan-problems.tsx';
import { changesRow, countsOf, type Plan } from './paste-plan.ts';
import { rowsShown, type ShownRows } from './rows-shown.ts';
import type { Paste } from './use-paste.ts';
import type { PastePreview } from './use-paste-preview.ts';
import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/paste.ts';

interface PasteDialogProps {
  readonly paste: Paste;
  readonly preview: PastePreview;
  readonly tableLabel: string;
}

/** Shows the preview of a paste. */
export function PasteDialog({ paste, preview, tableLabel }: PasteDialogProps) {
  const { plan, target, failure } = preview;
  const rows = target.bottom - target.top + 1;
  return (
    <Modal
      opened
      size="min(1080px, 94vw)"
      onClose={paste.close}
      title={texts.title({ rows, table: tableLabel })}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '' }}
    >
      {failure ? (
        <FailureForm paste={paste} failure={failure} />
      ) : plan ? (
        <PlanForm paste={paste} preview={preview} plan={plan} />
      ) : (
        <p className={classes.reading}>
          <Spinner size={16} label={texts.working} /> {texts.planning}
        </p>
      )}
    </Modal>
  );
}

interface FailureFormProps {
  readonly paste: Paste;
  readonly failure: ApiFailure;
}

/** Shows why the preview failed, and offers a retry. */
function FailureForm({ paste, failure }: FailureFormProps) {
  const form = useForm();
  return (
    <div ref={focusAutofocus} className={classes.body}>
      <LocalForm
        form={form}
        onSubmit={() => paste.retry()}
        onCancel={paste.close}
        submit={{ label: commonTexts.tryAgain, isFocused: true }}
      >
        <ErrorPanel error={failure} title={texts.notPasted} />
      </LocalForm>
    </div>
  );
}

interface PlanFormProps {
  readonly paste: Paste;
  readonly preview: PastePreview;
  readonly plan: Plan;
}

function PlanForm({ paste, preview, plan }: PlanFormProps) {
  const form = useForm();
  const [shown, setShown] = useState<ShownRows>('all');
  const { answers, cutOff } = preview;
  const open = plan.questions.filter(({ column }) => answers[column.name] === undefined);
  const { changed, newRows, unreadable, ambiguous, unchanged } = countsOf(plan);
  const nothing = !plan.rows.some(changesRow);
  return (
    <div ref={focusAutofocus} className={classes.body}>
      <LocalForm
        form={form}
        className={classes.form}
        onSubmit={() => paste.apply()}
        onCancel={paste.close}
        note={
          open.length > 0 ? <span className={classes.open}>{texts.answerFirst}</span> : undefined
        }
        submit={{
          label: nothing ? texts.nothingToPaste : unreadable > 0 ? texts.pasteAndMark : texts.paste,
          // Another plan follows an answer.
          disabled: open.length > 0 || nothing || plan.answers !== answers,
          keys: 'mod+Enter',
        }}
      >
        <CountFilter
          label={texts.rowsShown}
          parts={[
            { name: 'all', label: texts.all, count: null },
            { name: 'changed', label: texts.changed, count: changed, tone: 'changed' },
            { name: 'new', label: texts.created, count: newRows, tone: 'good' },
            {
              name: 'invalid',
              label: texts.invalid,
              count: unreadable + ambiguous,
              tone: 'danger',
            },
            { name: 'unchanged', label: texts.unchanged, count: unchanged },
          ]}
          shown={shown}
          onShow={setShown}
        />
        {plan.questions.map((question) => (
          <PasteQuestion
            key={question.column.name}
            question={question}
            answer={answers[question.column.name]}
            isNext={question === open[0]}
            onAnswer={(answer) => paste.answer(question.column, answer)}
          />
        ))}
        <PasteProblems plan={plan} />
        <PasteDiff columns={plan.columns} rows={rowsShown(plan, shown)} />
        <ul className={classes.hints}>
          {hintsOf(plan, cutOff).map((hint) => (
            <li key={hint}>{hint}</li>
          ))}
        </ul>
      </LocalForm>
    </div>
  );
}

/** Hints for the user before pasting. */
function hintsOf(plan: Plan, cutOff: number): string[] {
  const { unreadable, incomplete, deleted } = countsOf(plan);
  const hints: string[] = [];
  if (unreadable > 0) hints.push(texts.staysMarked);
  if (incomplete > 0) hints.push(texts.incomplete(incomplete));
  if (!plan.uniqueCompared) hints.push(texts.uniqueLater);
  if (deleted > 0) hints.push(texts.gone(deleted));
  if (cutOff > 0) hints.push(texts.cutOff(cutOff));
  return hints;
}
