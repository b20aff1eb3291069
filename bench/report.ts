import type { Row } from './result.ts';

/** A row with how its figure grows with the rows: 1 is in proportion, 0 not at all. */
export interface GrownRow extends Row {
  /** the exponent of the time, from the smallest size to this one */
  readonly growth?: number;
}

/** Adds to the rows of a larger database how they have grown from those of the smallest. */
export function withGrowth(rows: readonly Row[]): GrownRow[] {
  return rows.map((row) => {
    const same = rows.filter(
      ({ what, connections }) => what === row.what && connections === row.connections,
    );
    const smallest = same.toSorted((a, b) => a.size - b.size)[0];
    if (!smallest || smallest.size === row.size || row.size === 0) return row;
    const times = row.unit === 'per s' ? smallest.value / row.value : row.value / smallest.value;
    const growth = Math.log(times) / Math.log(row.size / smallest.size);
    return { ...row, growth: Math.round(growth * 100) / 100 };
  });
}

/** The rows as lines of text in columns. */
export function tableOf(rows: readonly GrownRow[]): string {
  const head = ['', 'rows', 'conn.', 'figure', 'floors', 'more', 'growth', 'goal'];
  const lines = rows.map((row) => [
    row.what,
    String(row.size),
    row.connections === null ? '' : String(row.connections),
    `${row.value} ${row.unit}`,
    figuresText(row.floors),
    figuresText(row.more ?? {}),
    row.growth === undefined ? '' : String(row.growth),
    row.goal ? `${row.goal.met ? 'met' : 'NOT MET'}: ${row.goal.says}` : '',
  ]);
  const all = [head, ...lines];
  const widths = head.map((_, at) => Math.max(...all.map((line) => line[at]?.length ?? 0)));
  return all
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function figuresText(figures: Readonly<Record<string, number>>): string {
  return Object.entries(figures)
    .map(([name, figure]) => `${name} ${figure}`)
    .join(', ');
}
