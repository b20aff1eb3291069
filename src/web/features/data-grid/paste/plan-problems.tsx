import classes from './paste.module.css';
import { OUTCOME, type Plan } from './paste-plan.ts';
import { RichText } from '#web/ui/rich-text.tsx';
import * as texts from '#messages/paste.ts';
import { truncate } from '#shared/values/truncate.ts';

interface PlanProblemsProps {
  readonly plan: Plan;
  /** the first target row of the grid, from 0 */
  readonly top: number;
}

/** How many are listed; the table below shows all of them. */
const MAX_LISTED = 100;
/** How many characters of a value are quoted; the table below shows more. */
const MAX_QUOTED = 60;

/** The problems of a paste in detail: row, value, and reason. */
export function PasteProblems({ plan, top }: PlanProblemsProps) {
  const { columns, cells, outcomes, messages, missing } = plan;
  const problems: { readonly key: string; readonly location: string; readonly message: string }[] =
    [];
  const rows = new Set([
    ...[...messages.keys()].map((index) => Math.floor(index / columns.length)),
    ...missing.keys(),
  ]);
  for (const row of [...rows].toSorted((a, b) => a - b)) {
    const number = top + row + 1;
    for (const [at, { label, name }] of columns.entries()) {
      const index = row * columns.length + at;
      const message = messages.get(index);
      if (message === undefined || outcomes[index] !== OUTCOME.invalid) continue;
      const text = cells[row]?.[at]?.text ?? '';
      const cell = { row: number, column: label || name };
      const shown =
        text === ''
          ? texts.emptyCell(cell)
          : texts.cell({ ...cell, text: truncate(text, MAX_QUOTED) });
      problems.push({ key: `${index}`, location: shown, message });
    }
    const columnsMissing = missing.get(row);
    if (columnsMissing) {
      const message = texts.needsValue({
        count: columnsMissing.length,
        columns: columnsMissing.join(', '),
      });
      problems.push({ key: `${row} lacks`, location: texts.row(number), message });
    }
  }
  if (problems.length === 0) return null;
  const more = problems.length - MAX_LISTED;
  return (
    <ul className={classes.problems} aria-label={texts.problems}>
      {problems.slice(0, MAX_LISTED).map(({ key, location, message }) => (
        <li key={key}>
          <RichText text={texts.problem({ location: <b>{location}</b>, message })} />
        </li>
      ))}
      {more > 0 && <li>{texts.moreProblems(more)}</li>}
    </ul>
  );
}
