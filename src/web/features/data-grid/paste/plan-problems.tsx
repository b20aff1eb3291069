import { formatCount } from '#shared/messages/format.ts';
import classes from './paste.module.css';
import { MARK, type Plan } from './plan.ts';

interface PlanProblemsProps {
  readonly plan: Plan;
  /** the row of the grid where the paste begins, from 0 */
  readonly top: number;
}

/** So many are read before a paste; the table below shows all of them. */
const NAMED = 100;

/** What of a paste cannot be saved, in full: which row, which value, and why. */
export function PlanProblems({ plan, top }: PlanProblemsProps) {
  const { columns, cells, marks, messages, lacking } = plan;
  const problems: { readonly key: string; readonly place: string; readonly message: string }[] = [];
  const rows = new Set([
    ...[...messages.keys()].map((place) => Math.floor(place / columns.length)),
    ...lacking.keys(),
  ]);
  for (const row of [...rows].toSorted((a, b) => a - b)) {
    const number = `Row ${formatCount(top + row + 1)}`;
    for (const [at, { label, name }] of columns.entries()) {
      const place = row * columns.length + at;
      const message = messages.get(place);
      if (message === undefined || marks[place] !== MARK.invalid) continue;
      const text = cells[row]?.[at]?.text ?? '';
      const value = text === '' ? 'no value' : `“${text}”`;
      problems.push({ key: `${place}`, place: `${number}, ${label || name} ${value}`, message });
    }
    const missing = lacking.get(row);
    if (missing) {
      const message = `${missing.join(', ')} ${missing.length === 1 ? 'needs' : 'need'} a value.`;
      problems.push({ key: `${row} lacks`, place: number, message });
    }
  }
  if (problems.length === 0) return null;
  const more = problems.length - NAMED;
  return (
    <ul className={classes.problems} aria-label="What cannot be saved">
      {problems.slice(0, NAMED).map(({ key, place, message }) => (
        <li key={key}>
          <b>{place}</b>: {message}
        </li>
      ))}
      {more > 0 && <li>and {formatCount(more)} more, in the table below</li>}
    </ul>
  );
}
