import { useId } from 'react';
import { readText } from '#shared/values/readings.ts';
import { inWords } from '#web/fields/value-text.ts';
import type { FormatAnswers } from './format-answers.ts';
import classes from './paste.module.css';
import type { FormatQuestion } from './paste-plan.ts';
import * as texts from '#messages/paste.ts';

interface PasteQuestionProps {
  readonly question: FormatQuestion;
  readonly answer: FormatAnswers[string] | undefined;
  /** the next question to answer */
  readonly isNext: boolean;
  readonly onAnswer: (answer: FormatAnswers[string]) => void;
}

/** Asks once per column for the notation of its numbers or dates. */
export function PasteQuestion({ question, answer, isNext, onAnswer }: PasteQuestionProps) {
  const { column, example } = question;
  const group = useId();
  return (
    <fieldset className={classes.question} data-open={answer === undefined || undefined}>
      <legend>{texts.question({ example, column: column.label || column.name })}</legend>
      {meaningsOf(question).map(([notation, meaning], at) => (
        <label key={notation}>
          <input
            type="radio"
            name={group}
            checked={answer === notation}
            data-autofocus={(isNext && at === 0) || undefined}
            onChange={() => onAnswer(notation)}
          />
          {meaning}
        </label>
      ))}
    </fieldset>
  );
}

/** The meaning of the example under each notation, in unambiguous words. */
function meaningsOf({ column, example }: FormatQuestion): [FormatAnswers[string], string][] {
  const reading = readText(column, example, { decimal: null, order: null }, () => ['Z']);
  if (reading.kind !== 'ambiguous') return [];
  return reading.readings.flatMap(({ value, notation }): [FormatAnswers[string], string][] => {
    const part = typeof value === 'number' ? notation.decimal : notation.order;
    if (!part) return [];
    const day = typeof value === 'string' ? value.slice(0, 10) : value;
    return [[part, texts.meanings[part](inWords(column, day))]];
  });
}
