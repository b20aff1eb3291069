import { Group, Modal } from '@mantine/core';
import type { FormEvent } from 'react';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
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
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    large.send();
  };
  return (
    <Modal
      opened
      size="lg"
      onClose={large.close}
      title={texts.title({ rows: cells.length, table: tableLabel })}
    >
      <form className={classes.form} onSubmit={onSubmit}>
        {failure && <ErrorPanel error={failure} title={texts.notPasted} />}
        {step === null &&
          questions.map((question) => (
            <PasteQuestion
              key={question.column.name}
              question={question}
              answer={answers[question.column.name]}
              isNext={question === next}
              onAnswer={(answer) => large.answer(question.column, answer)}
            />
          ))}
        {step !== null && (
          <p className={classes.reading} aria-live="polite">
            <Spinner size={16} label={texts.working} /> {stepText(shown)}
          </p>
        )}
        {cutOff > 0 && <p className={classes.hints}>{texts.cutOff(cutOff)}</p>}
        <Group justify="flex-end">
          {step === null && next && <span className={classes.open}>{texts.answerFirst}</span>}
          <Button variant="default" onClick={large.close}>
            {commonTexts.cancel}
          </Button>
          {step === null && (
            <Button
              type="submit"
              disabled={!isAnswered(shown)}
              data-autofocus={next === undefined || undefined}
            >
              {texts.preview}
            </Button>
          )}
        </Group>
      </form>
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
