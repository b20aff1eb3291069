import classes from './paste.module.css';
import type { Plan } from './paste-plan.ts';
import { RichText } from '#web/ui/rich-text.tsx';
import * as texts from '#messages/paste.ts';
import { truncate } from '#shared/values/truncate.ts';

/** How many are listed; the table below shows all of them. */
const MAX_LISTED = 100;
/** How many characters of a value are quoted; the table below shows more. */
const MAX_QUOTED = 60;

/** The problems of a paste in detail: row, value, and reason. */
export function PasteProblems({ plan }: { readonly plan: Plan }) {
  const problems: { readonly key: string; readonly location: string; readonly message: string }[] =
    [];
  for (const { number: row, cells, missing } of plan.rows) {
    for (const cell of cells) {
      if (cell.kind !== 'unreadable') continue;
      const { column } = cell;
      const of = { row, column: column.label || column.name };
      const text = truncate(cell.text, MAX_QUOTED);
      const location = text === '' ? texts.emptyCell(of) : texts.cell({ ...of, text });
      problems.push({ key: `${row} ${column.name}`, location, message: cell.message });
    }
    if (missing.length > 0) {
      const message = texts.needsValue({ count: missing.length, columns: missing.join(', ') });
      problems.push({ key: `${row} lacks`, location: texts.row(row), message });
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
