import * as texts from '#messages/figures.ts';
import { formatCount } from '#shared/messages/format.ts';
import { shownValue } from '#web/fields/value-text.ts';
import { LineChart } from '#web/ui/line-chart.tsx';
import { numberHeading, PlainTable } from '#web/ui/plain-table.tsx';
import classes from './figures.module.css';

interface DailyChartProps {
  readonly title: string;
  readonly days: readonly string[];
  /** per day; leading null: unknown */
  readonly values: readonly (number | null)[];
}

/** A plot of counts by day, with its numbers as a table; empty while fewer than two days are known. */
export function DailyChart({ title, days, values }: DailyChartProps) {
  const points = values.flatMap((value, i) => {
    const day = days[i];
    return value === null || day === undefined ? [] : [{ day, value }];
  });
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || points.length < 2) return null;
  const changes = points.filter(({ value }, i) => i === 0 || value !== points[i - 1]?.value);
  return (
    <div className={classes.chart}>
      <LineChart
        title={title}
        values={points.map(({ value }) => value)}
        format={formatCount}
        span={texts.fromTo({ from: dayText(first.day), to: dayText(last.day) })}
      />
      <details className={classes.details}>
        <summary aria-label={texts.asTableOf(title)}>{texts.asTable}</summary>
        <PlainTable
          className={`${classes.numbers} ${classes.days}`}
          headings={[texts.day, numberHeading(title)]}
        >
          {changes.toReversed().map(({ day, value }) => (
            <tr key={day}>
              <th scope="row">{dayText(day)}</th>
              <td data-number>{formatCount(value)}</td>
            </tr>
          ))}
        </PlainTable>
        <p className={classes.hint}>{texts.sinceBefore}</p>
      </details>
    </div>
  );
}

/** Whether there is anything to plot. */
export function isPlotted(values: readonly (number | null)[]): boolean {
  return values.filter((value) => value !== null).length >= 2;
}

function dayText(day: string): string {
  return shownValue({ type: 'date', scale: null }, day);
}
