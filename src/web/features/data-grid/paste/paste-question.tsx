import { useId } from 'react';
import { readText } from '#shared/values/readings.ts';
import { inWords } from '#web/fields/value-text.ts';
import type { HabitAnswers } from './answers.ts';
import classes from './paste.module.css';
import type { Question } from './plan.ts';

interface PasteQuestionProps {
  readonly question: Question;
  readonly answer: HabitAnswers[string] | undefined;
  /** the one to be answered next */
  readonly isNext: boolean;
  readonly onAnswer: (answer: HabitAnswers[string]) => void;
}

/** Asks once for a column how its numbers or days are written. */
export function PasteQuestion({ question, answer, isNext, onAnswer }: PasteQuestionProps) {
  const { column, example } = question;
  const group = useId();
  return (
    <fieldset className={classes.question} data-open={answer === undefined || undefined}>
      <legend>
        How is “{example}” in {column.label || column.name} meant?
      </legend>
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

/** What the example means under each habit, told as nobody can mistake it. */
function meaningsOf({ column, example }: Question): [HabitAnswers[string], string][] {
  const reading = readText(column, example, { decimal: null, order: null }, () => ['Z']);
  if (reading.kind !== 'ambiguous') return [];
  return reading.readings.flatMap(({ value, habits }): [HabitAnswers[string], string][] => {
    const habit = typeof value === 'number' ? habits.decimal : habits.order;
    if (!habit) return [];
    const day = typeof value === 'string' ? value.slice(0, 10) : value;
    return [[habit, `${inWords(column, day)} (${WORDS[habit]})`]];
  });
}

const WORDS: Readonly<Record<HabitAnswers[string], string>> = {
  '.': 'point before decimals',
  ',': 'comma before decimals',
  dmy: 'day first',
  mdy: 'month first',
  ymd: 'year first',
};
