import * as texts from '#messages/charts.ts';
import type { ReactNode } from 'react';
import shared from './shared.module.css';
import classes from './line-chart.module.css';

interface LineChartProps {
  readonly title: string;
  /** at equal steps, oldest first; not empty */
  readonly values: readonly number[];
  /** formats a value */
  readonly format: (value: number) => string;
  /** the first and last step, in words */
  readonly span?: string;
}

const [WIDTH, HEIGHT] = [240, 48];

/** A small chart of one series from 0 to its maximum, with its last value and its maximum as text. */
export function LineChart({ title, values, format, span }: LineChartProps) {
  const max = Math.max(...values);
  const last = values.at(-1) ?? 0;
  const points = pointsOf(values, max);
  return (
    <figure className={classes.chart}>
      <figcaption className={classes.caption}>
        <span className={shared.muted}>{title}</span>
        <span className={classes.last}>{format(last)}</span>
      </figcaption>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={texts.chart({ title, last: format(last), most: format(max) })}
        className={classes.plot}
      >
        <polygon className={classes.area} points={`0,${HEIGHT} ${points} ${WIDTH},${HEIGHT}`} />
        <polyline className={classes.line} points={points} />
      </svg>
      <span className={classes.most}>
        {texts.most(format(max))}
        {span !== undefined && <span>{span}</span>}
      </span>
    </figure>
  );
}

/** Charts side by side. */
export function LineCharts({ children }: { readonly children: ReactNode }) {
  return <div className={classes.charts}>{children}</div>;
}

function pointsOf(values: readonly number[], max: number): string {
  // A single value is shown as a horizontal line.
  const drawn = values.length > 1 ? values : [...values, ...values];
  const width = WIDTH / (drawn.length - 1);
  return drawn
    .map((value, at) => {
      const height = max > 0 ? (value / max) * (HEIGHT - 2) : 0;
      return `${(at * width).toFixed(1)},${(HEIGHT - 1 - height).toFixed(1)}`;
    })
    .join(' ');
}
