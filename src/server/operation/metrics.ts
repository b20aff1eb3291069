/*
 * Figures about the running process in Prometheus' text format, version 0.0.4. Names begin with `indexdesk_`,
 * units are seconds and bytes. Nothing that people wrote is ever a label.
 */

import { setTimeout } from 'node:timers/promises';

type Labels = Readonly<Record<string, string>>;

interface Counter {
  add(labels?: Labels): void;
}

interface Histogram {
  /** @param value in the unit of the name */
  observe(value: number, labels?: Labels): void;
}

/** What a gauge holds at the moment; several values differ by their labels. */
type Reading = number | readonly { readonly value: number; readonly labels: Labels }[];

/** A figure that cannot be read within so many milliseconds is left out. */
const LONGEST_READING = 1_000;

/** The figures of a process; each name is given once. */
export interface Metrics {
  /** Something that goes up and down. @param read is asked each time the figures are read, and waited for no longer than a second */
  gauge(name: string, help: string, read: () => Reading | Promise<Reading>): void;
  /** Something that only grows and is counted elsewhere. */
  total(name: string, help: string, read: () => Reading): void;
  /** Something that only grows and is counted here. */
  counter(name: string, help: string): Counter;
  /** @param bounds upper bounds, ascending */
  histogram(name: string, help: string, bounds: readonly number[]): Histogram;
  /** All figures as text, save those that could not be read. */
  write(): Promise<string>;
}

export function openMetrics(): Metrics {
  const written = new Map<string, () => string[] | Promise<string[]>>();
  const add = (
    name: string,
    type: string,
    help: string,
    lines: () => string[] | Promise<string[]>,
  ): void => {
    if (written.has(name)) throw new Error(`There are two figures ${name}.`);
    written.set(name, async () => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...(await lines()),
    ]);
  };
  return {
    gauge: (name, help, read) => add(name, 'gauge', help, async () => linesOf(name, await read())),
    total: (name, help, read) => add(name, 'counter', help, () => linesOf(name, read())),
    counter(name, help) {
      const counts = new Map<string, number>();
      add(name, 'counter', help, () =>
        [...counts].map(([labels, count]) => lineOf(name, labels, count)),
      );
      return {
        add(labels = {}) {
          const key = textOf(labels);
          counts.set(key, (counts.get(key) ?? 0) + 1);
        },
      };
    },
    histogram(name, help, bounds) {
      const series = new Map<string, Series>();
      add(name, 'histogram', help, () =>
        [...series].flatMap(([labels, one]) => linesOfSeries(name, bounds, labels, one)),
      );
      return {
        observe(value, labels = {}) {
          const key = textOf(labels);
          let one = series.get(key);
          if (!one) {
            one = { sum: 0, count: 0, counts: bounds.map(() => 0) };
            series.set(key, one);
          }
          one.sum += value;
          one.count += 1;
          const at = bounds.findIndex((bound) => value <= bound);
          if (at >= 0) one.counts[at] = (one.counts[at] ?? 0) + 1;
        },
      };
    },
    async write() {
      const late = new AbortController();
      const readings = [...written.values()].map((lines) =>
        Promise.race([
          Promise.resolve(lines()).catch(() => []),
          setTimeout(LONGEST_READING, [], { signal: late.signal }).catch(() => []),
        ]),
      );
      const all = await Promise.all(readings);
      late.abort();
      return `${all.flat().join('\n')}\n`;
    },
  };
}

interface Series {
  sum: number;
  count: number;
  /** by bound, those that no smaller one holds */
  readonly counts: number[];
}

function linesOfSeries(
  name: string,
  bounds: readonly number[],
  labels: string,
  { sum, count, counts }: Series,
): string[] {
  let below = 0;
  const bucket = (bound: string, value: number) =>
    lineOf(`${name}_bucket`, [labels, `le="${bound}"`].filter(Boolean).join(','), value);
  return [
    ...bounds.map((bound, i) => {
      below += counts[i] ?? 0;
      return bucket(String(bound), below);
    }),
    bucket('+Inf', count),
    lineOf(`${name}_sum`, labels, sum),
    lineOf(`${name}_count`, labels, count),
  ];
}

function linesOf(name: string, reading: Reading): string[] {
  if (typeof reading === 'number') return [lineOf(name, '', reading)];
  return reading.map(({ value, labels }) => lineOf(name, textOf(labels), value));
}

function lineOf(name: string, labels: string, value: number): string {
  return `${name}${labels === '' ? '' : `{${labels}}`} ${value}`;
}

function textOf(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escape(value)}"`)
    .join(',');
}

function escape(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
