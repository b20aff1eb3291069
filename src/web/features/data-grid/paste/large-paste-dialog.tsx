import { Group, Modal } from '@mantine/core';
import type { FormEvent } from 'react';
import { formatCount } from '#shared/messages/format.ts';
import { Button } from '#web/ui/button.tsx';
import { ErrorPanel } from '#web/ui/error-panel.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { PasteQuestion } from './paste-question.tsx';
import classes from './paste.module.css';
import { isAnswered, type LargePaste, type LargePasteState } from './use-large-paste.ts';

interface LargePasteDialogProps {
  readonly large: LargePasteState;
  readonly shown: LargePaste;
  readonly tableLabel: string;
}

/** Asks what the clipboard leaves open, and shows how far a large paste is until the service has planned it. */
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
      title={`Paste ${formatCount(cells.length)} rows into ${tableLabel}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form className={classes.form} onSubmit={onSubmit}>
        {failure && <ErrorPanel error={failure} title="Nothing was pasted" />}
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
            <Spinner size={16} label="Working" /> {stepText(shown)}
          </p>
        )}
        {cutOff > 0 && (
          <p className={classes.hints}>
            {cutOff === 1 ? '1 column' : `${formatCount(cutOff)} columns`} of the clipboard lie past
            the last one and are left out.
          </p>
        )}
        <Group justify="flex-end">
          {step === null && next && (
            <span className={classes.open}>Answer the questions first.</span>
          )}
          <Button variant="default" onClick={large.close}>
            Cancel
          </Button>
          {step === null && (
            <Button
              type="submit"
              disabled={!isAnswered(shown)}
              data-autofocus={next === undefined || undefined}
            >
              Preview
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
      return 'Saving your changes first…';
    case 'reading':
      return `Read ${formatCount(rowsRead)} of ${formatCount(cells.length)} rows…`;
    case 'planning':
      return 'Comparing with the table…';
    case null:
      return '';
    default:
      return step satisfies never;
  }
}
