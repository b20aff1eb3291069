import { Group, Modal } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { PasteDiff } from './paste-diff.tsx';
import { PasteQuestion } from './paste-question.tsx';
import { PasteCounts } from './paste-counts.tsx';
import classes from './paste.module.css';
import { PlanProblems } from './plan-problems.tsx';
import type { Plan } from './paste-plan.ts';
import { rowsShown, type ShownRows } from './rows-shown.ts';
import type { Paste, Preview } from './use-paste.ts';
import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/paste.ts';

interface PasteDialogProps {
  readonly paste: Paste;
  readonly preview: Preview;
  readonly tableLabel: string;
}

/** Shows the preview of a paste. */
export function PasteDialog({ paste, preview, tableLabel }: PasteDialogProps) {
  const { plan, place, failure } = preview;
  const rows = place.bottom - place.top + 1;
  return (
    <Modal
      opened
      size="min(1080px, 94vw)"
      onClose={paste.close}
      title={texts.title({ rows, table: tableLabel })}
      classNames={{ content: classes.content ?? '', body: classes.body ?? '' }}
    >
      {failure && <ErrorPanel error={failure} title={texts.notPasted} />}
      {plan ? (
        <PlanForm paste={paste} preview={preview} plan={plan} />
      ) : (
        !failure && (
          <p className={classes.reading}>
            <Spinner size={16} label={texts.comparing} />{' '}
            {texts.compared({ count: preview.planned, rows })}
          </p>
        )
      )}
    </Modal>
  );
}

interface PlanFormProps {
  readonly paste: Paste;
  readonly preview: Preview;
  readonly plan: Plan;
}

function PlanForm({ paste, preview, plan }: PlanFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [shown, setShown] = useState<ShownRows>('all');
  const { answers, cutOff, place } = preview;
  const open = plan.questions.filter(({ column }) => answers[column.name] === undefined);
  const { changedRows, newRows, invalid } = plan.counts;
  const nothing = changedRows + newRows === 0;
  useEffect(() => {
    form.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
  }, []);

  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (open.length === 0 && !nothing) paste.go();
  };
  return (
    <form ref={form} className={classes.form} onSubmit={onSubmit}>
      <PasteCounts counts={plan.counts} shown={shown} onShow={setShown} />
      {plan.questions.map((question) => (
        <PasteQuestion
          key={question.column.name}
          question={question}
          answer={answers[question.column.name]}
          isNext={question === open[0]}
          onAnswer={(answer) => paste.answer(question.column, answer)}
        />
      ))}
      <PlanProblems plan={plan} top={place.top} />
      <PasteDiff plan={plan} top={place.top} rows={rowsShown(plan, shown)} />
      <ul className={classes.hints}>
        {hintsOf(plan, cutOff).map((hint) => (
          <li key={hint}>{hint}</li>
        ))}
      </ul>
      <Group justify="flex-end">
        {open.length > 0 && <span className={classes.open}>{texts.answerFirst}</span>}
        <Button variant="default" onClick={paste.close}>
          {commonTexts.cancel}
        </Button>
        <Button
          type="submit"
          data-autofocus={open.length === 0 || undefined}
          disabled={open.length > 0 || nothing}
        >
          {nothing ? texts.nothingToPaste : invalid > 0 ? texts.pasteAndMark : texts.paste}
        </Button>
      </Group>
    </form>
  );
}

/** Hints for the user before pasting. */
function hintsOf({ counts, columns, uniqueCompared }: Plan, cutOff: number): string[] {
  const hints: string[] = [];
  if (counts.invalid > 0) hints.push(texts.staysMarked);
  if (counts.incomplete > 0) hints.push(texts.incomplete(counts.incomplete));
  if (!uniqueCompared && columns.some(({ unique }) => unique)) hints.push(texts.uniqueLater);
  if (counts.gone > 0) hints.push(texts.gone(counts.gone));
  if (cutOff > 0) hints.push(texts.cutOff(cutOff));
  return hints;
}
