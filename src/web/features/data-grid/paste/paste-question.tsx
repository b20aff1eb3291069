import { useId } from 'react';
import { readText } from '#shared/values/readings.ts';
import { inWords } from '#web/fields/value-text.ts';
import type { HabitAnswers } from './format-answers.ts';
import classes from './paste.module.css';
import type { HabitQuestion } from './paste-plan.ts';
import * as texts from '#messages/paste.ts';

interface PasteQuestionProps {
  readonly question: HabitQuestion;
  readonly answer: HabitAnswers[string] | undefined;
  /** the next question to answer */
  readonly isNext: boolean;
  readonly onAnswer: (answer: HabitAnswers[string]) => void;
}

/** Asks once per column for the notation of its numbers or dates. */
export function PasteQuestion({ question, answer, isNext, onAnswer }: PasteQuestionProps) {
  const { column, example } = question;
  const group = useId();
  return (
    <fieldset className={classes.question} data-open={answer === undefined || undefined}>
      <legend>{texts.question({ example, column: column.label || column.name })}</legend>
      {meaningsOf(question).map(([habit, meaning], at) => (
        <label key={habit}>
          <input
            type="radio"
            name={group}
            checked={answer === habit}
            data-autofocus={(isNext && at === 0) || undefined}
            onChange={() => onAnswer(habit)}
          />
          {meaning}
        </label>
      ))}
    </fieldset>
  );
}

/** The meaning of the example under each notation, in unambiguous words. */
function meaningsOf({ column, example }: HabitQuestion): [HabitAnswers[string], string][] {
  const reading = readText(column, example, { decimal: null, order: null }, () => ['Z']);
  if (reading.kind !== 'ambiguous') return [];
  return reading.readings.flatMap(({ value, habits }): [HabitAnswers[string], string][] => {
    const habit = typeof value === 'number' ? habits.decimal : habits.order;
    if (!habit) return [];
    const day = typeof value === 'string' ? value.slice(0, 10) : value;
    return [[habit, texts.meanings[habit](inWords(column, day))]];
  });
}
