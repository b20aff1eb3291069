import { Modal } from '@mantine/core';
import { useForm } from 'react-hook-form';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { focusAutofocus } from '#web/ui/focus-autofocus.ts';
import { LocalForm } from '#web/ui/form/form.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { PasteQuestion } from './paste-question.tsx';
import classes from './paste.module.css';
import { isAnswered, type LargePaste, type LargePasteState } from './use-large-paste.ts';
import * as commonTexts from '#messages/common.ts';
import * as texts from '#messages/paste.ts';

interface LargePasteDialogProps {
  readonly large: LargePasteState;
  readonly shown: LargePaste;
  readonly tableLabel: string;
}

/**
 * Asks about ambiguous notations in the clipboard, and shows the progress of a large paste until the service has
 * planned it.
 */
export function LargePasteDialog({ large, shown, tableLabel }: LargePasteDialogProps) {
  const { cells, questions, answers, cutOff, step, failure } = shown;
  const next = questions.find(({ column }) => answers[column.name] === undefined);
  const form = useForm();
  const isWorking = step !== null;
  const cutOffHint = cutOff > 0 && <p className={classes.hints}>{texts.cutOff(cutOff)}</p>;
  return (
    <Modal
      opened
      size="lg"
      onClose={large.close}
      title={texts.title({ rows: cells.length, table: tableLabel })}
    >
      <div key={String(isWorking)} ref={focusAutofocus} className={classes.body}>
        {isWorking ? (
          <>
            <p className={classes.reading} aria-live="polite">
              <Spinner size={16} label={texts.working} /> {stepText(shown)}
            </p>
            {cutOffHint}
            <Button
              className={classes.cancel ?? ''}
              variant="default"
              data-autofocus
              onClick={large.close}
            >
              {commonTexts.cancel}
            </Button>
          </>
        ) : (
          <LocalForm
            form={form}
            onSubmit={() => large.send()}
            onCancel={large.close}
            note={next && <span className={classes.open}>{texts.answerFirst}</span>}
            submit={{
              label: failure ? commonTexts.tryAgain : texts.preview,
              disabled: !isAnswered(shown),
              isFocused: next === undefined,
            }}
          >
            {failure && <ErrorPanel error={failure} title={texts.notPasted} />}
            {questions.map((question) => (
              <PasteQuestion
                key={question.column.name}
                question={question}
                answer={answers[question.column.name]}
                isNext={question === next}
                onAnswer={(answer) => large.answer(question.column, answer)}
              />
            ))}
            {cutOffHint}
          </LocalForm>
        )}
      </div>
    </Modal>
  );
}

function stepText({ step, rowsRead, cells }: LargePaste): string {
  switch (step) {
    case 'saving':
      return texts.saving;
    case 'reading':
      return texts.rowsRead({ read: rowsRead, rows: cells.length });
    case 'planning':
      return texts.planning;
    case null:
      return '';
    default:
      return step satisfies never;
  }
}
